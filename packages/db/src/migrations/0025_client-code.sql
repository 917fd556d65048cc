ALTER TABLE "client_rows" ADD COLUMN "client_code" text;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "client_code" text;--> statement-breakpoint
-- The search text of existing clients gets the references and contact details that it lacked, in the form of domain/clients/search-text.ts.
-- The next change of a client writes it again from there.
CREATE FUNCTION "normalise_search_text"(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  select trim(regexp_replace(replace(regexp_replace(normalize(replace(lower(value), 'ß', 'ss'), NFKD),
    U&'[\0300-\036F.''\2019\2018`\00B4\02BC/\2010\2011\2012\2013\2014-]', '', 'g'), '&', ' and '),
    '[[:space:][:cntrl:]!"#$%()*+,:;<=>?@\\^_{|}~\[\]]+', ' ', 'g'))
$$;--> statement-breakpoint
UPDATE "client_rows" r SET "search" = concat_ws(' ', normalise_search_text(c.name),
  replace(normalise_search_text(c.vrn), ' ', ''), replace(normalise_search_text(c.utr), ' ', ''),
  replace(normalise_search_text(c.company_number), ' ', ''), replace(normalise_search_text(c.nino), ' ', ''),
  replace(normalise_search_text(c.paye_reference), ' ', ''), replace(normalise_search_text(c.accounts_office_reference), ' ', ''),
  replace(normalise_search_text(c.postcode), ' ', ''), normalise_search_text(c.email),
  case when c.phone ~ '^\s*(\+|00)\s*44' then regexp_replace(regexp_replace(c.phone, '\D', '', 'g'), '^(00)?440?', '0')
    else regexp_replace(c.phone, '\D', '', 'g') end)
FROM "clients" c WHERE c.company_id = r.company_id AND c.id = r.client_id;--> statement-breakpoint
DROP FUNCTION "normalise_search_text";
