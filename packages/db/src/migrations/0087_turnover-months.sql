ALTER TABLE "client_turnovers" ADD COLUMN "books_origin" text;--> statement-breakpoint
ALTER TABLE "client_turnovers" ADD COLUMN "was_registered" boolean;
