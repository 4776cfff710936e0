import {
  Body,
  type CallHandler,
  type CanActivate,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Get,
  HttpCode,
  Injectable,
  type ModuleMetadata,
  type NestInterceptor,
  Param,
  Post,
  Query,
  Req,
  RequestMapping,
  RequestMethod,
  UnauthorizedException,
  UseGuards,
  UseInterceptors,
} from "@nestjs/common";
import { JwtModule, JwtService } from "@nestjs/jwt";
import { IsArray, IsInt, IsString, MaxLength, Min } from "class-validator";
import { tap } from "rxjs";
import {
  type ApplicationCase,
  failure,
  greeting,
  requiredRole,
  type TableRoute,
  tableAnswer,
  tenHeaders,
  tokenSecret,
} from "../../applications.ts";
import type { TokenUser } from "../../subjects/verify-bearer.ts";

/**
 * Applies Nest's decorators as functions, because Node does not support their syntax.
 */
const parameterTypes = "design:paramtypes";

class Handlers {}
class Book {}
IsString()(Book.prototype, "title");
MaxLength(200)(Book.prototype, "title");
IsInt()(Book.prototype, "pages");
Min(1)(Book.prototype, "pages");
IsArray()(Book.prototype, "tags");
IsString({ each: true })(Book.prototype, "tags");

interface SignedRequest {
  readonly headers: { readonly authorization?: string };
  user?: TokenUser;
}

class AuthGuard implements CanActivate {
  readonly #jwt: JwtService;
  constructor(jwt: JwtService) {
    this.#jwt = jwt;
  }
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SignedRequest>();
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    try {
      request.user = (await this.#jwt.verifyAsync<{ user: TokenUser }>(token)).user;
      return true;
    } catch {
      throw new UnauthorizedException();
    }
  }
}
Injectable()(AuthGuard);
Reflect.defineMetadata(parameterTypes, [JwtService], AuthGuard);

class RoleGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { user } = context.switchToHttp().getRequest<SignedRequest>();
    if (user?.roles.includes(requiredRole) !== true) throw new ForbiddenException();
    return true;
  }
}

/** Creates a controller with the routes of an application. */
export function createNestModule({ application, routes }: ApplicationCase): ModuleMetadata {
  class Routes extends Handlers {}
  const add = (name: string, handle: (...inputs: never[]) => unknown): PropertyDescriptor => {
    const descriptor = { value: handle, writable: true, enumerable: false, configurable: true };
    Object.defineProperty(Routes.prototype, name, descriptor);
    return descriptor;
  };
  const decorate = (name: string, descriptor: PropertyDescriptor, ...all: MethodDecorator[]) => {
    for (const decorator of all.toReversed()) decorator(Routes.prototype, name, descriptor);
  };
  const inputs = (name: string, types: readonly unknown[], ...all: ParameterDecorator[]) => {
    for (const [i, decorator] of all.entries()) decorator(Routes.prototype, name, i);
    Reflect.defineMetadata(parameterTypes, types, Routes.prototype, name);
  };
  switch (application) {
    case "hello":
    case "not-found":
      decorate(
        "hello",
        add("hello", () => greeting),
        Get("/"),
      );
      break;
    case "parameter": {
      inputs("show", [String, String], Param("id"), Query("page"));
      const show = add("show", (id: string, page: string) => ({ id, page }));
      decorate("show", show, Get("/users/:id"));
      break;
    }
    case "echo":
      inputs("create", [Book], Body());
      decorate(
        "create",
        add("create", (body: Book) => body),
        Post("/books"),
        HttpCode(200),
      );
      break;
    case "ten-middleware":
      decorate(
        "hello",
        add("hello", () => greeting),
        Get("/"),
        UseInterceptors(...tenHeaders.map((header, i) => createHeaderInterceptor(header, i))),
      );
      break;
    case "auth": {
      inputs("lend", [Object], Req());
      const lend = add("lend", ({ user }: SignedRequest) => ({ by: user?.id }));
      decorate("lend", lend, Get("/loans"), UseGuards(AuthGuard, RoleGuard));
      break;
    }
    case "error":
      decorate("fail", add("fail", fail), Get("/"));
      break;
    case "routes-300":
      for (const [index, route] of routes.entries()) addTableRoute(index, route);
  }
  Controller()(Routes);
  return {
    imports: application === "auth" ? [JwtModule.register({ secret: tokenSecret })] : [],
    controllers: [Routes],
  };

  function addTableRoute(index: number, { method, pattern, names }: TableRoute): void {
    const name = `route${index}`;
    inputs(name, [Object], Param());
    const handle = add(name, (params: Record<string, string>) =>
      tableAnswer(
        index,
        names.map((parameter) => params[parameter] ?? ""),
      ),
    );
    const code = RequestMethod[method as keyof typeof RequestMethod];
    decorate(name, handle, RequestMapping({ path: pattern, method: code }), HttpCode(200));
  }
}

function createHeaderInterceptor(header: string, index: number): NestInterceptor {
  return {
    intercept: (context: ExecutionContext, next: CallHandler) =>
      next.handle().pipe(
        tap(() => {
          const reply = context
            .switchToHttp()
            .getResponse<{ header(n: string, v: string): void }>();
          reply.header(header, String(index));
        }),
      ),
  };
}

function fail(): never {
  throw new Error(failure);
}
