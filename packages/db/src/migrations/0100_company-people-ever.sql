-- Everyone who works or worked for a company: leaving it before its debt is known doesn't make its people others.
CREATE VIEW all_tenants_company_people AS
  SELECT company_id, user_id FROM memberships
  UNION ALL SELECT company_id, user_id FROM former_memberships
  UNION ALL SELECT company_id, subject::uuid FROM audit_entries WHERE action IN ('company_people.left', 'company_people.removed');
