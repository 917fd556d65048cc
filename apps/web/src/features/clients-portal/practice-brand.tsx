/** The name of the portal: the practice’s logo or its name in its colour, and the product behind it. */
import { practiceBrandApi } from '@portal/contract/practice-brand.ts';
import { useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { clientText } from '../../lib/client-texts/client-texts.ts';
import { brandName } from '../../lib/settings.ts';
import { Text } from '../../ui/text.tsx';
import styles from './practice-brand.module.css';

export function PracticeBrand({ companyId }: { companyId: string }) {
  const { data } = useQuery({
    ...apiQuery(practiceBrandApi.ofClient, { company_id: companyId }),
    enabled: companyId !== '',
    staleTime: 300_000,
  });
  const shades = data?.shades ?? null;
  const style: CSSProperties & Record<`--${string}`, string> =
    shades === null ? {} : { '--brand-light': shades.light, '--brand-dark': shades.dark };
  return (
    <div className={styles.brand} style={style}>
      {data === undefined ? (
        <span className={styles.name}>&nbsp;</span>
      ) : data.logo === null ? (
        <span className={styles.name}>{data.name}</span>
      ) : (
        <img src={data.logo} alt={data.name} className={styles.logo} />
      )}
      <Text as="span" size="small" tone="quiet">
        {clientText('brand.via', { brand: brandName() })}
      </Text>
    </div>
  );
}
