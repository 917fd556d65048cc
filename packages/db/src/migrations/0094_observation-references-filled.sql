-- outside a transaction
-- An earlier correction of a reference isn't known here, so these count for the reference that the client has now.
UPDATE client_observations o
  SET reference = CASE
    WHEN o.kind LIKE 'vat\_%' THEN c.vrn
    WHEN o.kind LIKE 'sa\_%' THEN c.nino
    WHEN o.kind = 'paye_statement' THEN c.paye_reference
    WHEN o.kind = 'ct_statement' THEN c.utr
    ELSE c.company_number
  END
  FROM clients c
  WHERE c.company_id = o.company_id AND c.id = o.client_id AND o.reference IS NULL;
