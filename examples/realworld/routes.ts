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
    api.get("/tags", ListTags, {
      summary: "List the most used tags",
      description: "Names of tags, the most frequent first.",
    });
  });
}

function registerUsers(api: Router): void {
  api.group("/users", { name: "users" }, (users) => {
    users.post("/", RegisterUser, {
      middleware: ["registration-limit"],
      summary: "Join",
      description: "Creates an account and returns it with an access token.",
    });
    users.post("/login", LogIn, {
      middleware: ["log-in-limit"],
      summary: "Log in",
      description: "Returns the account with an access token.",
    });
  });
  api.group("/user", { name: "user" }, (user) => {
    user.get("/", ShowAccount, {
      ...signedIn,
      summary: "Your account",
      description: "The signed-in user, with a new access token.",
    });
    user.put("/", UpdateAccount, {
      ...signedIn,
      summary: "Change your account",
      description: "Fields that are not sent keep their values.",
    });
  });
  api.group("/profiles/:username", { name: "profiles" }, (profile) => {
    profile.get("/", ShowProfile, {
      ...optionalAuth,
      summary: "Get a user's profile",
      description: "Includes whether the signed-in user follows the author.",
    });
    profile.post("/follow", FollowProfile, {
      ...signedIn,
      summary: "Follow a user",
      description: "Following twice has no further effect.",
    });
    profile.delete("/follow", UnfollowProfile, {
      ...signedIn,
      summary: "Unfollow a user",
      description: "Has no effect on a user who is not followed.",
    });
  });
}

function registerArticles(articles: Router): void {
  articles.get("/", ListArticles, {
    ...optionalAuth,
    summary: "List articles, newest first",
    description: "Filtered by tag, author or user who favorited them.",
  });
  articles.post("/", CreateArticle, {
    ...signedIn,
    summary: "Publish an article",
    description: "The slug is derived from the title.",
  });
  articles.get("/feed", ShowFeed, {
    ...signedIn,
    summary: "List articles of authors you follow",
    description: "Newest first.",
  });
  // A slug has at least 5 characters, so that this is not the path of the feed.
  articles.group("/:slug(.{5,})", (article) => {
    article.get("/", ShowArticle, {
      ...optionalAuth,
      summary: "Get an article",
      description: "Includes the text.",
    });
    article.put("/", UpdateArticle, {
      ...author,
      summary: "Change your article",
      description: "Fields that are not sent keep their values.",
    });
    article.delete("/", RemoveArticle, {
      ...author,
      summary: "Delete your article",
      description: "Also deletes its comments.",
    });
    article.post("/favorite", FavoriteArticle, {
      ...signedIn,
      summary: "Add to your favorites",
      description: "Returns the article.",
    });
    article.delete("/favorite", UnfavoriteArticle, {
      ...signedIn,
      summary: "Remove from your favorites",
      description: "Returns the article.",
    });
    article.get("/comments", ListComments, {
      ...optionalAuth,
      summary: "List comments, oldest first",
      description: "Includes whether the signed-in user follows the authors.",
    });
    article.post("/comments", CreateComment, {
      ...signedIn,
      summary: "Comment on an article",
      description: "Returns the comment.",
    });
    // Any number of up to 15 digits is a safe integer.
    article.delete("/comments/:id(\\d{1,15})", RemoveComment, {
      ...commenter,
      summary: "Delete your comment",
      description: "Only its author can delete a comment.",
    });
  });
}
