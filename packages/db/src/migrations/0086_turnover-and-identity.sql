CREATE TABLE "client_turnovers" (
	"company_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"source" text NOT NULL,
	"end_on" date NOT NULL,
	"turnover_pence" bigint NOT NULL,
	"bad_debt_pence" bigint,
	"is_cash_basis" boolean,
	"vat_number" text,
	"entered_by" uuid,
	"known_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "client_turnovers_company_id_client_id_id_pk" PRIMARY KEY("company_id","client_id","id"),
	CONSTRAINT "client_turnovers_entered" CHECK ((source = 'practice') = (entered_by is not null))
);
--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "register_people_read_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "identity_due_on" date;--> statement-breakpoint
ALTER TABLE "client_turnovers" ADD CONSTRAINT "client_turnovers_entered_by_users_id_fk" FOREIGN KEY ("entered_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_turnovers" ADD CONSTRAINT "client_turnovers_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "client_turnovers_books" ON "client_turnovers" USING btree ("company_id","client_id") WHERE source = 'books';