CREATE TABLE "figure_event_marks" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"changes_seen_at" timestamp (3) with time zone NOT NULL,
	"overdue_seen_on" date NOT NULL
);
--> statement-breakpoint
CREATE TABLE "muted_clients" (
	"company_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	CONSTRAINT "muted_clients_company_id_user_id_client_id_pk" PRIMARY KEY("company_id","user_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "staff_notification_choices" (
	"company_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"channels" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"digest" text DEFAULT 'daily' NOT NULL,
	"quiet_from" integer,
	"quiet_to" integer,
	"digest_on" date,
	CONSTRAINT "staff_notification_choices_company_id_user_id_pk" PRIMARY KEY("company_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "staff_notifications" (
	"company_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"client_id" uuid,
	"title" text NOT NULL,
	"path" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"is_in_portal" boolean NOT NULL,
	"read_at" timestamp (3) with time zone,
	"email" text NOT NULL,
	"email_at" timestamp (3) with time zone,
	"emailed_at" timestamp (3) with time zone,
	CONSTRAINT "staff_notifications_company_id_user_id_id_pk" PRIMARY KEY("company_id","user_id","id")
);
--> statement-breakpoint
CREATE TABLE "unsubscribe_links" (
	"company_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "unsubscribe_links_company_id_token_hash_pk" PRIMARY KEY("company_id","token_hash")
);
--> statement-breakpoint
ALTER TABLE "figure_event_marks" ADD CONSTRAINT "figure_event_marks_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "muted_clients" ADD CONSTRAINT "muted_clients_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "muted_clients" ADD CONSTRAINT "muted_clients_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_notification_choices" ADD CONSTRAINT "staff_notification_choices_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_notification_choices" ADD CONSTRAINT "staff_notification_choices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_notifications" ADD CONSTRAINT "staff_notifications_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_notifications" ADD CONSTRAINT "staff_notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_notifications" ADD CONSTRAINT "staff_notifications_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unsubscribe_links" ADD CONSTRAINT "unsubscribe_links_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unsubscribe_links" ADD CONSTRAINT "unsubscribe_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "staff_notifications_event" ON "staff_notifications" USING btree ("company_id","user_id","kind","key");--> statement-breakpoint
CREATE INDEX "staff_notifications_newest" ON "staff_notifications" USING btree ("company_id","user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "staff_notifications_unread" ON "staff_notifications" USING btree ("company_id","user_id") WHERE is_in_portal and read_at is null;--> statement-breakpoint
CREATE INDEX "staff_notifications_to_email" ON "staff_notifications" USING btree ("company_id","user_id","email_at") WHERE email <> 'off' and emailed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "unsubscribe_links_token" ON "unsubscribe_links" USING btree ("token_hash");