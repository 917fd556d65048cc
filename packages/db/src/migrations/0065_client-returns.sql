CREATE TABLE "return_approvals" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"obligation_id" uuid NOT NULL,
	"period_start" date NOT NULL,
	"period_end" date NOT NULL,
	"due_on" date NOT NULL,
	"boxes" jsonb NOT NULL,
	"digest" text NOT NULL,
	"is_outside" boolean DEFAULT false NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"state" text NOT NULL,
	"requested_by" uuid NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"reminded_at" timestamp (3) with time zone,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"decided_ip" text,
	"decided_user_agent" text,
	"ended_at" timestamp (3) with time zone,
	"filed_at" timestamp (3) with time zone,
	CONSTRAINT "return_approvals_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "return_messages" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"obligation_id" uuid NOT NULL,
	"is_from_client" boolean NOT NULL,
	"author_id" uuid NOT NULL,
	"text" text NOT NULL,
	"written_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "return_messages_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "filings" ADD COLUMN "practice_id" uuid;--> statement-breakpoint
ALTER TABLE "filings" ADD COLUMN "approval_id" uuid;--> statement-breakpoint
ALTER TABLE "return_approvals" ADD CONSTRAINT "return_approvals_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "return_approvals" ADD CONSTRAINT "return_approvals_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "return_approvals" ADD CONSTRAINT "return_approvals_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "return_messages" ADD CONSTRAINT "return_messages_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "return_messages" ADD CONSTRAINT "return_messages_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "return_approvals_live" ON "return_approvals" USING btree ("company_id","client_id","obligation_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "return_approvals_state" ON "return_approvals" USING btree ("company_id","state","filed_at");--> statement-breakpoint
CREATE INDEX "return_messages_return" ON "return_messages" USING btree ("company_id","client_id","obligation_id","written_at");--> statement-breakpoint
-- What was sent to the client never changes, nor an answer once it is given. After the version has ended only HMRC's late acceptance of it is added.
CREATE FUNCTION refuse_changed_return_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.ended_at IS NOT NULL AND (to_jsonb(NEW) - 'filed_at') IS DISTINCT FROM (to_jsonb(OLD) - 'filed_at'))
    OR (OLD.company_id, OLD.id, OLD.client_id, OLD.obligation_id, OLD.period_start, OLD.period_end, OLD.boxes, OLD.digest, OLD.is_outside,
        OLD.reason, OLD.requested_by, OLD.requested_at)
      IS DISTINCT FROM (NEW.company_id, NEW.id, NEW.client_id, NEW.obligation_id, NEW.period_start, NEW.period_end, NEW.boxes, NEW.digest,
        NEW.is_outside, NEW.reason, NEW.requested_by, NEW.requested_at)
    OR (OLD.decided_at IS NOT NULL AND (OLD.decided_by, OLD.decided_at, OLD.decided_ip, OLD.decided_user_agent)
      IS DISTINCT FROM (NEW.decided_by, NEW.decided_at, NEW.decided_ip, NEW.decided_user_agent))
    OR (OLD.filed_at IS NOT NULL AND (NEW.filed_at, NEW.state, NEW.ended_at) IS DISTINCT FROM (OLD.filed_at, OLD.state, OLD.ended_at)) THEN
    RAISE EXCEPTION 'return_approvals: % refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER return_approvals_frozen BEFORE UPDATE ON return_approvals FOR EACH ROW EXECUTE FUNCTION refuse_changed_return_approval();
--> statement-breakpoint
CREATE TRIGGER return_messages_append_only BEFORE UPDATE ON return_messages FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- A client's books and returns have its id as their tenant and no foreign key, because a trader's have a company's. They go with the client.
CREATE FUNCTION delete_client_returns() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  item text;
BEGIN
  FOREACH item IN ARRAY ARRAY['books_columns', 'books_files', 'books_rows', 'books_uploads', 'filings', 'hmrc_returns', 'obligations',
    'period_figures', 'return_adjustments', 'return_corrections']
  LOOP
    EXECUTE format('DELETE FROM %I WHERE company_id IN (SELECT id FROM deleted_clients)', item);
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER delete_client_returns AFTER DELETE ON clients REFERENCING OLD TABLE AS deleted_clients
  FOR EACH STATEMENT EXECUTE FUNCTION delete_client_returns();
