CREATE TABLE "program_grants" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"client_id" text NOT NULL,
	"name" text NOT NULL,
	"redirect_host" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"ended_by" uuid,
	CONSTRAINT "program_grants_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "program_tokens" (
	"company_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"grant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"scopes" text[] NOT NULL,
	"resource" text NOT NULL,
	"code_challenge" text,
	"redirect_uri" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "program_tokens_company_id_token_hash_pk" PRIMARY KEY("company_id","token_hash")
);
--> statement-breakpoint
CREATE TABLE "programs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"redirect_uris" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "program_grants" ADD CONSTRAINT "program_grants_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "program_grants" ADD CONSTRAINT "program_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "program_grants" ADD CONSTRAINT "program_grants_ended_by_users_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "program_tokens" ADD CONSTRAINT "program_tokens_company_id_grant_id_program_grants_company_id_id_fk" FOREIGN KEY ("company_id","grant_id") REFERENCES "public"."program_grants"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "program_grants_user" ON "program_grants" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "program_grants_client" ON "program_grants" USING btree ("client_id");--> statement-breakpoint
CREATE UNIQUE INDEX "program_tokens_hash" ON "program_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "program_tokens_grant" ON "program_tokens" USING btree ("company_id","grant_id");--> statement-breakpoint
CREATE INDEX "program_tokens_expiry" ON "program_tokens" USING btree ("expires_at");