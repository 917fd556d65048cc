-- When the provider began a subscription: its renewals are counted from then, in UTC.
ALTER TABLE "subscriptions" ADD COLUMN "started_at" timestamp (3) with time zone;