/** The portal's name, which is that of the client’s practice. */
import { practiceBrandApi } from '@portal/contract/practice-brand.ts';
import { useQuery } from '@tanstack/react-query';
import { BrandHeader } from '../../components/practice-brand/brand-header.tsx';
import { apiQuery } from '../../lib/api.ts';

export function PracticeBrand({ companyId }: { companyId: string }) {
  const { data } = useQuery({
    ...apiQuery(practiceBrandApi.ofClient, { company_id: companyId }),
    enabled: companyId !== '',
    staleTime: 300_000,
  });
  return <BrandHeader brand={data} />;
}
