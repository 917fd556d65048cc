CREATE TABLE "report_addresses" (
	"company_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"email" text NOT NULL,
	"message_id" uuid,
	"client_id" uuid,
	"attempt_id" uuid,
	"invitation" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"reported" text,
	CONSTRAINT "report_addresses_company_id_token_hash_pk" PRIMARY KEY("company_id","token_hash")
);
--> statement-breakpoint
CREATE TABLE "undeliverable_addresses" (
	"company_id" uuid NOT NULL,
	"email" text NOT NULL,
	"cause" text NOT NULL,
	"detail" text NOT NULL,
	"reported_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "undeliverable_addresses_company_id_email_pk" PRIMARY KEY("company_id","email")
);
--> statement-breakpoint
ALTER TABLE "report_addresses" ADD CONSTRAINT "report_addresses_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "undeliverable_addresses" ADD CONSTRAINT "undeliverable_addresses_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "report_addresses_token" ON "report_addresses" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "report_addresses_created" ON "report_addresses" USING btree ("company_id","created_at");