CREATE TABLE "lost_job_runs" (
	"job_id" uuid PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL
);
