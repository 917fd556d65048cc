ALTER TABLE "due_items" ADD COLUMN "kind" text DEFAULT 'payment' NOT NULL;--> statement-breakpoint
UPDATE "due_items" SET "kind" = "what" WHERE "what" <> 'payment';
