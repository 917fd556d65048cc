ALTER TABLE "clients" ADD COLUMN "vat_group_role" text;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "vat_group_vrn" text;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "has_vat_outside_group" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "vrn_outside_group" text;--> statement-breakpoint
ALTER TABLE "clients" ADD CONSTRAINT "clients_vat_group_once" CHECK (case vat_group_role when 'member' then not has_vat and vrn is null when 'representative' then has_vat and vrn is not null and vat_group_vrn is null else vat_group_role is null and vat_group_vrn is null end) NOT VALID;
