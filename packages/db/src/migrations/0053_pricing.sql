CREATE TABLE "connection_count_changes" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"connections" integer NOT NULL,
	CONSTRAINT "connection_count_changes_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "price_lists" (
	"version" integer PRIMARY KEY NOT NULL,
	"mode" text NOT NULL,
	"published_on" date NOT NULL,
	"effective_from" date NOT NULL,
	"existing_from" date,
	CONSTRAINT "price_lists_notice" CHECK (existing_from >= published_on + 60)
);
--> statement-breakpoint
CREATE TABLE "price_tiers" (
	"version" integer NOT NULL,
	"from_connections" integer NOT NULL,
	"to_connections" integer,
	"name" text NOT NULL,
	"base_pence" bigint NOT NULL,
	"unit_pence" bigint NOT NULL,
	"included" integer NOT NULL,
	CONSTRAINT "price_tiers_version_from_connections_pk" PRIMARY KEY("version","from_connections"),
	CONSTRAINT "price_tiers_step" CHECK (base_pence >= 0 and unit_pence >= 0 and base_pence % 5 = 0 and unit_pence % 5 = 0)
);
--> statement-breakpoint
CREATE TABLE "promotion_codes" (
	"code" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"value" integer NOT NULL,
	"months" integer,
	"tiers" text[] DEFAULT '{}' NOT NULL,
	"partners" text[] DEFAULT '{}' NOT NULL,
	"starts_on" date NOT NULL,
	"ends_on" date,
	"max_uses" integer,
	"max_uses_per_practice" integer DEFAULT 1 NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "promotion_codes_value" CHECK (value > 0 and (kind <> 'percent' or value <= 100)),
	CONSTRAINT "promotion_codes_uses" CHECK (uses >= 0 and (max_uses is null or uses <= max_uses))
);
--> statement-breakpoint
CREATE TABLE "promotion_redemptions" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"code" text NOT NULL,
	"redeemed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "promotion_redemptions_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "selected_connections" (
	"company_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"tax" text NOT NULL,
	"linked" boolean NOT NULL,
	"selected_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "selected_connections_company_id_client_id_tax_pk" PRIMARY KEY("company_id","client_id","tax")
);
--> statement-breakpoint
ALTER TABLE "connection_count_changes" ADD CONSTRAINT "connection_count_changes_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_tiers" ADD CONSTRAINT "price_tiers_version_price_lists_version_fk" FOREIGN KEY ("version") REFERENCES "public"."price_lists"("version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "promotion_redemptions" ADD CONSTRAINT "promotion_redemptions_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "promotion_redemptions" ADD CONSTRAINT "promotion_redemptions_code_promotion_codes_code_fk" FOREIGN KEY ("code") REFERENCES "public"."promotion_codes"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "selected_connections" ADD CONSTRAINT "selected_connections_company_id_client_id_clients_company_id_id_fk" FOREIGN KEY ("company_id","client_id") REFERENCES "public"."clients"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "price_tiers_name" ON "price_tiers" USING btree ("version",lower("name"));--> statement-breakpoint
CREATE INDEX "promotion_redemptions_code" ON "promotion_redemptions" USING btree ("company_id","code");--> statement-breakpoint
-- Whether a client is linked for a tax: HMRC has authorised the practice (VAT, Self Assessment), or a statement was imported (PAYE, corporation tax).
CREATE FUNCTION is_connection_linked(company uuid, client uuid, connected_tax text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM client_rows r WHERE r.company_id = company AND r.client_id = client AND r.status = 'active'
      AND CASE connected_tax WHEN 'vat' THEN r.has_vat WHEN 'paye' THEN r.has_paye WHEN 'ct' THEN r.has_ct WHEN 'sa' THEN r.has_sa END
      AND CASE WHEN connected_tax IN ('paye', 'ct') THEN connected_tax = ANY (r.read_taxes)
        ELSE EXISTS (SELECT FROM client_authorisations a WHERE a.company_id = company AND a.client_id = client AND a.tax = connected_tax
          AND a.status IN ('authorised', 'expiring')) END)
$$;
--> statement-breakpoint
CREATE FUNCTION follow_connection_links() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  UPDATE selected_connections s SET linked = NOT s.linked
    WHERE s.company_id = changed.company_id AND s.client_id = changed.client_id
      AND s.linked <> is_connection_linked(s.company_id, s.client_id, s.tax);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER client_rows_connections AFTER UPDATE ON client_rows FOR EACH ROW
  WHEN ((OLD.status, OLD.has_vat, OLD.has_paye, OLD.has_ct, OLD.has_sa, OLD.read_taxes)
    IS DISTINCT FROM (NEW.status, NEW.has_vat, NEW.has_paye, NEW.has_ct, NEW.has_sa, NEW.read_taxes))
  EXECUTE FUNCTION follow_connection_links();
--> statement-breakpoint
CREATE TRIGGER client_authorisations_connections AFTER UPDATE ON client_authorisations FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION follow_connection_links();
--> statement-breakpoint
CREATE TRIGGER client_authorisations_connections_added AFTER INSERT OR DELETE ON client_authorisations FOR EACH ROW
  EXECUTE FUNCTION follow_connection_links();
--> statement-breakpoint
-- Appends the difference in linked connections; a statement of many rows appends one row for each practice.
CREATE FUNCTION count_connections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO connection_count_changes SELECT company_id, gen_random_uuid(), count(*) FROM new_rows WHERE linked GROUP BY company_id;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO connection_count_changes SELECT company_id, gen_random_uuid(), -count(*) FROM old_rows WHERE linked GROUP BY company_id;
  ELSE
    INSERT INTO connection_count_changes SELECT company_id, gen_random_uuid(), sum(difference) FROM (
      SELECT company_id, 1 AS difference FROM new_rows WHERE linked UNION ALL SELECT company_id, -1 FROM old_rows WHERE linked) changes
      GROUP BY company_id HAVING sum(difference) <> 0;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER selected_connections_added AFTER INSERT ON selected_connections REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_connections();
--> statement-breakpoint
CREATE TRIGGER selected_connections_removed AFTER DELETE ON selected_connections REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_connections();
--> statement-breakpoint
CREATE TRIGGER selected_connections_changed AFTER UPDATE ON selected_connections REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_connections();
