CREATE TABLE "client_contacts" (
	"company_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"email" text NOT NULL,
	"phone" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "client_contacts_company_id_client_id_id_pk" PRIMARY KEY("company_id","client_id","id")
);
--> statement-breakpoint
CREATE TABLE "practice_attention" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"counted_on" date NOT NULL,
	"counted_at" timestamp (3) with time zone NOT NULL,
	"members" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "client_notes" ADD COLUMN "edited_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "client_notes" ADD COLUMN "pinned_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "tags" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "client_contacts" ADD CONSTRAINT "client_contacts_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
DROP TRIGGER client_notes_unchanged ON client_notes;--> statement-breakpoint
-- A note's text and pin may change; the audit trail keeps the earlier text. Who wrote it and when may not.
CREATE TRIGGER client_notes_unchanged BEFORE UPDATE OF company_id, client_id, id, author_id, written_at ON client_notes FOR EACH ROW EXECUTE FUNCTION refuse_change();
