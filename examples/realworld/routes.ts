import type { Router } from "espalier";
import {
  CreateArticle,
  FavoriteArticle,
  RemoveArticle,
  ShowArticle,
  UnfavoriteArticle,
  UpdateArticle,
} from "./controllers/articles.ts";
import { CreateComment, ListComments, RemoveComment } from "./controllers/comments.ts";
import { ListArticles, ShowFeed } from "./controllers/list-articles.ts";
import { FollowProfile, ShowProfile, UnfollowProfile } from "./controllers/profiles.ts";
import { ListTags } from "./controllers/tags.ts";
import { LogIn, RegisterUser, ShowAccount, UpdateAccount } from "./controllers/users.ts";

const optionalAuth = { middleware: ["auth.optional"] };
const signedIn = { middleware: ["auth"] };
const author = { middleware: ["auth", "can:own-article"] };
const commenter = { middleware: ["auth", "can:own-comment"] };

export function registerRoutes(router: Router): void {
  router.group("/api", (api) => {
    registerUsers(api);
    api.group("/articles", { name: "articles" }, registerArticles);
    api.get("/tags", ListTags, { summary: "List the most used tags" });
  });
}

function registerUsers(api: Router): void {
  api.group("/users", { name: "users" }, (users) => {
    users.post("/", RegisterUser, { middleware: ["registration-limit"], summary: "Join" });
    users.post("/login", LogIn, { middleware: ["log-in-limit"], summary: "Log in" });
  });
  api.group("/user", { name: "user" }, (user) => {
    user.get("/", ShowAccount, { ...signedIn, summary: "Your account" });
    user.put("/", UpdateAccount, { ...signedIn, summary: "Change your account" });
  });
  api.group("/profiles/:username", { name: "profiles" }, (profile) => {
    profile.get("/", ShowProfile, { ...optionalAuth, summary: "Get a user's profile" });
    profile.post("/follow", FollowProfile, { ...signedIn, summary: "Follow a user" });
    profile.delete("/follow", UnfollowProfile, { ...signedIn, summary: "Unfollow a user" });
  });
}

function registerArticles(articles: Router): void {
  articles.get("/", ListArticles, { ...optionalAuth, summary: "List articles, newest first" });
  articles.post("/", CreateArticle, { ...signedIn, summary: "Publish an article" });
  articles.get("/feed", ShowFeed, { ...signedIn, summary: "List articles of authors you follow" });
  articles.group("/:slug", (article) => {
    article.get("/", ShowArticle, { ...optionalAuth, summary: "Get an article" });
    article.put("/", UpdateArticle, { ...author, summary: "Change your article" });
    article.delete("/", RemoveArticle, { ...author, summary: "Delete your article" });
    article.post("/favorite", FavoriteArticle, { ...signedIn, summary: "Add to your favorites" });
    article.delete("/favorite", UnfavoriteArticle, {
      ...signedIn,
      summary: "Remove from your favorites",
    });
    article.get("/comments", ListComments, {
      ...optionalAuth,
      summary: "List comments, oldest first",
    });
    article.post("/comments", CreateComment, { ...signedIn, summary: "Comment on an article" });
    // Any number of up to 15 digits is a safe integer.
    article.delete("/comments/:id(\\d{1,15})", RemoveComment, {
      ...commenter,
      summary: "Delete your comment",
    });
  });
}
