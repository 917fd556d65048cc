CREATE TABLE "client_file_contents" (
	"company_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "client_file_contents_company_id_file_id_pk" PRIMARY KEY("company_id","file_id")
);
--> statement-breakpoint
CREATE TABLE "client_files" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"client_id" uuid,
	"work_item_id" uuid,
	"request_item_id" uuid,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"sha256" text NOT NULL,
	"state" text DEFAULT 'quarantined' NOT NULL,
	"virus" text,
	"is_from_client" boolean NOT NULL,
	"folder" text DEFAULT 'other' NOT NULL,
	"year" integer,
	"shared_at" timestamp (3) with time zone,
	"uploaded_by" uuid NOT NULL,
	"uploaded_at" timestamp (3) with time zone NOT NULL,
	"scanned_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "client_files_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "client_files_one_owner" CHECK (num_nonnulls(client_id, work_item_id) = 1)
);
--> statement-breakpoint
CREATE TABLE "client_posts" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"is_from_client" boolean NOT NULL,
	"author_id" uuid NOT NULL,
	"text" text NOT NULL,
	"written_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "client_posts_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "client_request_items" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"request_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"answer" text DEFAULT '' NOT NULL,
	"answered_by" uuid,
	"answered_at" timestamp (3) with time zone,
	"note" text DEFAULT '' NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "client_request_items_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "client_requests" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"title" text NOT NULL,
	"due_on" date NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"cancelled_at" timestamp (3) with time zone,
	"reminders" integer DEFAULT 0 NOT NULL,
	"notified_at" timestamp (3) with time zone,
	CONSTRAINT "client_requests_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "engagement_letters" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"text" text NOT NULL,
	"digest" text NOT NULL,
	"sent_by" uuid NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"signed_by" uuid,
	"signed_name" text,
	"signed_at" timestamp (3) with time zone,
	"signed_ip" text,
	"superseded_at" timestamp (3) with time zone,
	CONSTRAINT "engagement_letters_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "engagement_templates" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"text" text NOT NULL,
	"updated_by" uuid NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "practice_brands" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"colour" text,
	"logo" "bytea",
	"updated_by" uuid NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "client_people" ADD COLUMN "consented_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "client_file_contents" ADD CONSTRAINT "client_file_contents_company_id_file_id_client_files_company_id_id_fk" FOREIGN KEY ("company_id","file_id") REFERENCES "public"."client_files"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_files" ADD CONSTRAINT "client_files_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_files" ADD CONSTRAINT "client_files_uploaded_by_users_id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_files" ADD CONSTRAINT "client_files_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_files" ADD CONSTRAINT "client_files_company_id_work_item_id_work_items_company_id_id_fk" FOREIGN KEY ("company_id","work_item_id") REFERENCES "public"."work_items"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_posts" ADD CONSTRAINT "client_posts_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_posts" ADD CONSTRAINT "client_posts_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_request_items" ADD CONSTRAINT "client_request_items_answered_by_users_id_fk" FOREIGN KEY ("answered_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_request_items" ADD CONSTRAINT "client_request_items_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_request_items" ADD CONSTRAINT "client_request_items_company_id_request_id_client_requests_company_id_id_fk" FOREIGN KEY ("company_id","request_id") REFERENCES "public"."client_requests"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_requests" ADD CONSTRAINT "client_requests_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_requests" ADD CONSTRAINT "client_requests_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engagement_letters" ADD CONSTRAINT "engagement_letters_sent_by_users_id_fk" FOREIGN KEY ("sent_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engagement_letters" ADD CONSTRAINT "engagement_letters_signed_by_users_id_fk" FOREIGN KEY ("signed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engagement_letters" ADD CONSTRAINT "engagement_letters_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engagement_templates" ADD CONSTRAINT "engagement_templates_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engagement_templates" ADD CONSTRAINT "engagement_templates_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_brands" ADD CONSTRAINT "practice_brands_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_brands" ADD CONSTRAINT "practice_brands_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "client_files_client" ON "client_files" USING btree ("company_id","client_id","uploaded_at");--> statement-breakpoint
CREATE INDEX "client_files_work_item" ON "client_files" USING btree ("company_id","work_item_id");--> statement-breakpoint
CREATE INDEX "client_files_quarantined" ON "client_files" USING btree ("company_id","uploaded_at") WHERE state = 'quarantined';--> statement-breakpoint
CREATE INDEX "client_posts_client" ON "client_posts" USING btree ("company_id","client_id","written_at");--> statement-breakpoint
CREATE INDEX "client_request_items_request" ON "client_request_items" USING btree ("company_id","request_id","position");--> statement-breakpoint
CREATE INDEX "client_requests_client" ON "client_requests" USING btree ("company_id","client_id","created_at");--> statement-breakpoint
CREATE INDEX "client_requests_due" ON "client_requests" USING btree ("company_id","due_on") WHERE completed_at is null and cancelled_at is null;--> statement-breakpoint
CREATE INDEX "engagement_letters_client" ON "engagement_letters" USING btree ("company_id","client_id","sent_at");--> statement-breakpoint
CREATE UNIQUE INDEX "engagement_letters_current" ON "engagement_letters" USING btree ("company_id","client_id") WHERE superseded_at is null;