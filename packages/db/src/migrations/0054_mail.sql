CREATE TABLE "client_message_recipients" (
	"company_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"email" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"status" text NOT NULL,
	"route" text,
	"sent_from" text,
	"attempt_id" uuid,
	"attempted_at" timestamp (3) with time zone,
	"not_before" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"reason" text,
	CONSTRAINT "client_message_recipients_company_id_message_id_client_id_pk" PRIMARY KEY("company_id","message_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "client_messages" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"send_at" timestamp (3) with time zone NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL,
	"left_out" integer NOT NULL,
	"cancelled_at" timestamp (3) with time zone,
	"cancelled_by" uuid,
	CONSTRAINT "client_messages_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "mailbox_states" (
	"company_id" uuid NOT NULL,
	"state_hash" text NOT NULL,
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"browser_hash" text NOT NULL,
	"nonce" text NOT NULL,
	"code_verifier" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mailbox_states_company_id_state_hash_pk" PRIMARY KEY("company_id","state_hash")
);
--> statement-breakpoint
CREATE TABLE "mailboxes" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"status" text NOT NULL,
	"address" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"access_expires_at" timestamp (3) with time zone,
	"connected_by" uuid NOT NULL,
	"connected_at" timestamp (3) with time zone NOT NULL,
	"lost_at" timestamp (3) with time zone,
	"lost_reason" text
);
--> statement-breakpoint
ALTER TABLE "client_message_recipients" ADD CONSTRAINT "client_message_recipients_company_id_message_id_client_messages_company_id_id_fk" FOREIGN KEY ("company_id","message_id") REFERENCES "public"."client_messages"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_message_recipients" ADD CONSTRAINT "client_message_recipients_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_messages" ADD CONSTRAINT "client_messages_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_messages" ADD CONSTRAINT "client_messages_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_messages" ADD CONSTRAINT "client_messages_cancelled_by_users_id_fk" FOREIGN KEY ("cancelled_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailbox_states" ADD CONSTRAINT "mailbox_states_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailbox_states" ADD CONSTRAINT "mailbox_states_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_connected_by_users_id_fk" FOREIGN KEY ("connected_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "client_message_recipients_client" ON "client_message_recipients" USING btree ("company_id","client_id","ended_at");--> statement-breakpoint
CREATE INDEX "client_message_recipients_attempted" ON "client_message_recipients" USING btree ("company_id","attempted_at");--> statement-breakpoint
CREATE INDEX "client_message_recipients_open" ON "client_message_recipients" USING btree ("company_id","message_id","position") WHERE status in ('queued', 'sending');--> statement-breakpoint
CREATE INDEX "client_messages_created" ON "client_messages" USING btree ("company_id","created_at","id");