ALTER TABLE "client_observations" ADD COLUMN "reference" text;--> statement-breakpoint
-- As before, except that the next migration may add the reference to observations that have none yet.
DROP TRIGGER client_observations_unchanged ON client_observations;--> statement-breakpoint
CREATE TRIGGER client_observations_unchanged BEFORE UPDATE ON client_observations FOR EACH ROW
  WHEN (OLD.reference IS NOT NULL OR (to_jsonb(NEW) - 'reference') IS DISTINCT FROM (to_jsonb(OLD) - 'reference'))
  EXECUTE FUNCTION refuse_change();
