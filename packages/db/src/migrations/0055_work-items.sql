CREATE TABLE "work_item_comments" (
	"company_id" uuid NOT NULL,
	"work_item_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"text" text NOT NULL,
	"written_at" timestamp (3) with time zone NOT NULL,
	"emailed" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "work_item_comments_company_id_work_item_id_id_pk" PRIMARY KEY("company_id","work_item_id","id")
);
--> statement-breakpoint
CREATE TABLE "work_items" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"client_id" uuid,
	"title" text NOT NULL,
	"notes" text DEFAULT '' NOT NULL,
	"service" text NOT NULL,
	"status" text DEFAULT 'todo' NOT NULL,
	"due_on" date NOT NULL,
	"owner_id" uuid,
	"checklist" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"done_at" timestamp (3) with time zone,
	"done_by" uuid,
	"removed_at" timestamp (3) with time zone,
	"template_key" text,
	"step" integer,
	"tax" text,
	"kind" text,
	"period_end" date,
	CONSTRAINT "work_items_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "work_templates" (
	"company_id" uuid NOT NULL,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"service" text NOT NULL,
	"steps" jsonb NOT NULL,
	"trigger" jsonb,
	"is_on" boolean DEFAULT false NOT NULL,
	"client_tag" text,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "work_templates_company_id_key_pk" PRIMARY KEY("company_id","key")
);
--> statement-breakpoint
ALTER TABLE "work_item_comments" ADD CONSTRAINT "work_item_comments_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "work_item_comments" ADD CONSTRAINT "work_item_comments_company_id_work_item_id_work_items_company_id_id_fk" FOREIGN KEY ("company_id","work_item_id") REFERENCES "public"."work_items"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "work_items" ADD CONSTRAINT "work_items_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "work_items" ADD CONSTRAINT "work_items_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "work_items" ADD CONSTRAINT "work_items_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "work_items" ADD CONSTRAINT "work_items_done_by_users_id_fk" FOREIGN KEY ("done_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "work_items" ADD CONSTRAINT "work_items_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "work_templates" ADD CONSTRAINT "work_templates_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "work_item_comments_author" ON "work_item_comments" USING btree ("company_id","author_id","written_at");--> statement-breakpoint
CREATE INDEX "work_items_due" ON "work_items" USING btree ("company_id","due_on","id") WHERE status <> 'done' and removed_at is null;--> statement-breakpoint
CREATE INDEX "work_items_owner" ON "work_items" USING btree ("company_id","owner_id","due_on","id") WHERE status <> 'done' and removed_at is null;--> statement-breakpoint
CREATE INDEX "work_items_client" ON "work_items" USING btree ("company_id","client_id","due_on","id");--> statement-breakpoint
CREATE INDEX "work_items_status" ON "work_items" USING btree ("company_id","status","due_on","id") WHERE removed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "work_items_obligation" ON "work_items" USING btree ("company_id","client_id","template_key","tax","kind","period_end","step") WHERE template_key is not null;