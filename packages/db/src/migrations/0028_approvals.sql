CREATE TABLE "approval_requests" (
	"company_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"details" jsonb NOT NULL,
	"reason" text NOT NULL,
	"requested_by" uuid NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"decision" text,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"decision_reason" text,
	CONSTRAINT "approval_requests_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "approval_requests_one_open" ON "approval_requests" USING btree ("company_id","action","subject") WHERE "approval_requests"."decided_at" is null;--> statement-breakpoint
CREATE INDEX "approval_requests_open" ON "approval_requests" USING btree ("requested_at") WHERE "approval_requests"."decided_at" is null;