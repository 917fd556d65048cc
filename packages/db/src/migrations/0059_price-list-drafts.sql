CREATE TABLE "price_list_drafts" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"draft" jsonb NOT NULL,
	CONSTRAINT "price_list_drafts_one" CHECK (id = 1)
);
