/** The practice’s logo, or its name in its own colour, and the product behind it. */
import type { PracticeBrand } from '@portal/contract/practice-brand.ts';
import type { CSSProperties } from 'react';
import { clientText } from '../../lib/client-texts/client-texts.ts';
import { getBrandName } from '../../lib/settings.ts';
import { Text } from '../../ui/text.tsx';
import styles from './brand-header.module.css';

/** `brand` is undefined while it loads. */
export function BrandHeader({ brand }: { brand: PracticeBrand | undefined }) {
  const shades = brand?.shades ?? null;
  const style: CSSProperties & Record<`--${string}`, string> =
    shades === null ? {} : { '--brand-light': shades.light, '--brand-dark': shades.dark };
  return (
    <div className={styles.brand} style={style}>
      {brand === undefined ? (
        <span className={styles.name}>&nbsp;</span>
      ) : brand.logo === null ? (
        <span className={styles.name}>{brand.name}</span>
      ) : (
        <img src={brand.logo} alt={brand.name} className={styles.logo} />
      )}
      <Text as="span" size="small" tone="quiet">
        {clientText('brand.via', { brand: getBrandName() })}
      </Text>
    </div>
  );
}
