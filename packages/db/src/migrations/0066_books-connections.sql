CREATE TABLE "books_connection_states" (
	"company_id" uuid NOT NULL,
	"state_hash" text NOT NULL,
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"browser_hash" text NOT NULL,
	"nonce" text NOT NULL,
	"code_verifier" text NOT NULL,
	"return_to" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "books_connection_states_company_id_state_hash_pk" PRIMARY KEY("company_id","state_hash")
);
--> statement-breakpoint
CREATE TABLE "books_connections" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"status" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"access_expires_at" timestamp (3) with time zone,
	"refresh_lease_until" timestamp (3) with time zone,
	"refresh_holder_id" integer,
	"organisations" jsonb NOT NULL,
	"organisation_id" text,
	"organisation_name" text,
	"vat_number" text,
	"is_demo" boolean DEFAULT false NOT NULL,
	"locked_until" date,
	"basis" text,
	"is_basis_answered" boolean DEFAULT false NOT NULL,
	"connected_by" uuid NOT NULL,
	"connected_at" timestamp (3) with time zone NOT NULL,
	"used_since" timestamp (3) with time zone NOT NULL,
	"lost_at" timestamp (3) with time zone,
	"lost_reason" text
);
--> statement-breakpoint
CREATE TABLE "books_drafts" (
	"company_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"date" date NOT NULL,
	"type" text NOT NULL,
	"reference" text NOT NULL,
	"counterparty" text NOT NULL,
	"net_pence" bigint NOT NULL,
	"vat_pence" bigint NOT NULL,
	"link" text,
	CONSTRAINT "books_drafts_company_id_file_id_line_pk" PRIMARY KEY("company_id","file_id","line")
);
--> statement-breakpoint
CREATE TABLE "books_objects" (
	"company_id" uuid NOT NULL,
	"resource" text NOT NULL,
	"object_id" text NOT NULL,
	"value" jsonb NOT NULL,
	"read_number" integer NOT NULL,
	CONSTRAINT "books_objects_company_id_resource_object_id_pk" PRIMARY KEY("company_id","resource","object_id")
);
--> statement-breakpoint
CREATE TABLE "books_rate_answers" (
	"company_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"organisation_id" text NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"treatment" text NOT NULL,
	"answered_by" uuid NOT NULL,
	"answered_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "books_rate_answers_company_id_provider_organisation_id_code_pk" PRIMARY KEY("company_id","provider","organisation_id","code")
);
--> statement-breakpoint
CREATE TABLE "books_reads" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"read_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"confirms" integer,
	"is_hinted" boolean DEFAULT false NOT NULL,
	"is_full" boolean NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"modified_since" timestamp (3) with time zone,
	"resource" text NOT NULL,
	"page" integer NOT NULL,
	"objects" integer NOT NULL,
	"waits_until" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"last_full_at" timestamp (3) with time zone,
	"problem" text,
	"questions" jsonb DEFAULT '[]'::jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "books_files" ADD COLUMN "source" text;--> statement-breakpoint
ALTER TABLE "books_files" ADD COLUMN "content_hash" text;--> statement-breakpoint
ALTER TABLE "books_rows" ADD COLUMN "link" text;--> statement-breakpoint
ALTER TABLE "books_rows" ADD COLUMN "document_flags" text;--> statement-breakpoint
ALTER TABLE "books_connection_states" ADD CONSTRAINT "books_connection_states_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "books_connection_states" ADD CONSTRAINT "books_connection_states_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "books_connections" ADD CONSTRAINT "books_connections_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "books_connections" ADD CONSTRAINT "books_connections_connected_by_users_id_fk" FOREIGN KEY ("connected_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "books_drafts" ADD CONSTRAINT "books_drafts_company_id_file_id_books_files_company_id_id_fk" FOREIGN KEY ("company_id","file_id") REFERENCES "public"."books_files"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "books_objects" ADD CONSTRAINT "books_objects_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "books_rate_answers" ADD CONSTRAINT "books_rate_answers_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "books_rate_answers" ADD CONSTRAINT "books_rate_answers_answered_by_users_id_fk" FOREIGN KEY ("answered_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "books_reads" ADD CONSTRAINT "books_reads_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "books_drafts_date" ON "books_drafts" USING btree ("company_id","file_id","date");