import { z } from "zod";

/** The body of `echo`, for the frameworks that leave the choice of a validator to their user. */
export const book: z.ZodObject<{
  title: z.ZodString;
  pages: z.ZodInt;
  tags: z.ZodArray<z.ZodString>;
}> = z.object({
  title: z.string().max(200),
  pages: z.int().min(1),
  tags: z.array(z.string()),
});
