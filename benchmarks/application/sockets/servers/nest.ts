import "reflect-metadata";
import type { AddressInfo } from "node:net";
import { Module, ValidationPipe } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import type { ApplicationCase } from "../../applications.ts";
import { hostname, type Listen } from "./listen.ts";
import { createNestModule } from "./nest-module.ts";

/** NestJS on Fastify, with the validation pipe of its guide. */
export async function createNest(input: ApplicationCase): Promise<NestFastifyApplication> {
  class ApplicationModule {}
  Module(createNestModule(input))(ApplicationModule);
  const app = await NestFactory.create<NestFastifyApplication>(
    ApplicationModule,
    new FastifyAdapter(),
    { logger: false },
  );
  app.useGlobalPipes(new ValidationPipe({ whitelist: true }));
  return app;
}

export const listen: Listen = async (input) => {
  const app = await createNest(input);
  await app.listen(0, hostname);
  return (app.getHttpServer().address() as AddressInfo).port; // over TCP
};
