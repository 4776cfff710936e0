import { z } from "zod";

/** Zod schema of the body of `echo`, for frameworks without a validator. */
export const book: z.ZodObject<{
  title: z.ZodString;
  pages: z.ZodInt;
  tags: z.ZodArray<z.ZodString>;
}> = z.object({
  title: z.string().max(200),
  pages: z.int().min(1),
  tags: z.array(z.string()),
});
