CREATE TABLE "advance_proposals" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"obligation_id" uuid NOT NULL,
	"period_start" date NOT NULL,
	"period_end" date NOT NULL,
	"vrn" text NOT NULL,
	"refund_pence" bigint NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"proposed_by" uuid NOT NULL,
	"proposed_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone,
	"started_by" uuid,
	"started_at" timestamp (3) with time zone,
	"figures_shared_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"ended_as" text,
	"ended_by" uuid,
	"ended_reason" text DEFAULT '' NOT NULL,
	"notified_stage" text,
	CONSTRAINT "advance_proposals_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "advance_proposals" ADD CONSTRAINT "advance_proposals_proposed_by_users_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "advance_proposals" ADD CONSTRAINT "advance_proposals_started_by_users_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "advance_proposals" ADD CONSTRAINT "advance_proposals_ended_by_users_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "advance_proposals" ADD CONSTRAINT "advance_proposals_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "advance_proposals_open" ON "advance_proposals" USING btree ("company_id","client_id","period_start","period_end") WHERE ended_as is null or ended_as = 'declined';--> statement-breakpoint
-- What was proposed never changes, nor what has ended.
CREATE FUNCTION refuse_changed_advance_proposal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.company_id, OLD.id, OLD.client_id, OLD.obligation_id, OLD.period_start, OLD.period_end, OLD.vrn, OLD.refund_pence, OLD.note,
        OLD.proposed_by, OLD.proposed_at)
      IS DISTINCT FROM (NEW.company_id, NEW.id, NEW.client_id, NEW.obligation_id, NEW.period_start, NEW.period_end, NEW.vrn,
        NEW.refund_pence, NEW.note, NEW.proposed_by, NEW.proposed_at)
    OR (OLD.ended_as IS NOT NULL AND to_jsonb(NEW) IS DISTINCT FROM to_jsonb(OLD)) THEN
    RAISE EXCEPTION 'advance_proposals: % refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER advance_proposals_frozen BEFORE UPDATE ON advance_proposals FOR EACH ROW EXECUTE FUNCTION refuse_changed_advance_proposal();
--> statement-breakpoint
-- The traders' companies of a client's people that have the client's VAT number.
CREATE VIEW client_traders AS
  SELECT p.company_id, p.client_id, p.user_id, c.vrn, trader.id AS trader_id, trader.name AS trader_name, m.role
  FROM client_people p
  JOIN clients c ON c.company_id = p.company_id AND c.id = p.client_id
  JOIN memberships m ON m.user_id = p.user_id
  JOIN companies trader ON trader.id = m.company_id AND trader.kind = 'trader' AND trader.vrn = c.vrn AND trader.closed_at IS NULL;
--> statement-breakpoint
-- A practice sees the advance only of a company that the person who started owns, of the VAT number and period of its proposal, and amounts
-- only while that person shares them. An older advance that had ended before isn't part of it.
CREATE VIEW proposed_advances AS
  SELECT DISTINCT ON (p.company_id, p.id) p.company_id, p.id AS proposal_id, t.trader_id, t.trader_name, o.id AS trader_obligation_id,
    a.state, a.accepted_at, a.paid_at, a.repaid_at,
    CASE WHEN p.figures_shared_at IS NOT NULL THEN a.net_pence END AS net_pence,
    CASE WHEN p.figures_shared_at IS NOT NULL THEN a.fee_pence END AS fee_pence
  FROM advance_proposals p
  JOIN client_traders t ON t.company_id = p.company_id AND t.client_id = p.client_id AND t.user_id = p.started_by AND t.vrn = p.vrn
    AND t.role = 'trader_owner'
  LEFT JOIN obligations o ON o.company_id = t.trader_id AND o.period_start = p.period_start AND o.period_end = p.period_end
  LEFT JOIN advances a ON a.company_id = t.trader_id AND a.period_start = p.period_start AND a.period_end = p.period_end
    AND (a.state NOT IN ('expired', 'withdrawn', 'declined') OR a.updated_at >= p.started_at)
  WHERE p.ended_as IS NULL
  ORDER BY p.company_id, p.id, a.state IS NULL, a.state IN ('expired', 'withdrawn', 'declined'), a.quoted_at DESC, o.id IS NULL, t.trader_id;
