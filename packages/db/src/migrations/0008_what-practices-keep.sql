CREATE TABLE "client_book_balances" (
	"company_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"tax" text NOT NULL,
	"balance_pence" bigint NOT NULL,
	"on_date" date NOT NULL,
	"entered_by" uuid NOT NULL,
	"entered_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "client_book_balances_company_id_client_id_id_pk" PRIMARY KEY("company_id","client_id","id")
);
--> statement-breakpoint
ALTER TABLE "practices" ADD COLUMN "address" jsonb;--> statement-breakpoint
ALTER TABLE "practices" ADD COLUMN "lead_days" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_views" ADD COLUMN "is_shared" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "product" text DEFAULT 'instant_vat' NOT NULL;--> statement-breakpoint
ALTER TABLE "client_book_balances" ADD CONSTRAINT "client_book_balances_entered_by_users_id_fk" FOREIGN KEY ("entered_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_book_balances" ADD CONSTRAINT "client_book_balances_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;