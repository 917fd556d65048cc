ALTER TABLE "books_objects" ALTER COLUMN "value" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "books_objects" ADD COLUMN "body" text;