/**
 * Shows what OpenTax costs. The prices and their scripts load only when the visitor scrolls near them, to keep the page within its size
 * budget.
 */
import { useEffect, useRef, useState, type ComponentType } from 'react';
import { Section } from './landing-sections.tsx';
import styles from './price-section.module.css';

/** How far below the window a section may be when it starts to load. */
const LOAD_AHEAD = '150px';

export function PriceSection() {
  const box = useRef<HTMLDivElement>(null);
  const [Prices, setPrices] = useState<ComponentType>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        import('./prices.tsx').then(
          (file) => setPrices(() => file.Prices),
          () => setFailed(true),
        );
      },
      { rootMargin: LOAD_AHEAD },
    );
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return (
    <Section title="What it costs">
      <p className={styles.lead}>
        You choose which connections to pay for. A connection is one client for one tax: 30 clients with VAT and Self Assessment are 60
        connections. Prices are per month and exclude VAT.
      </p>
      <div ref={box} className={styles.box}>
        {Prices ? <Prices /> : hasFailed ? 'We couldn’t load our prices. Reload the page to try again.' : 'Loading prices'}
      </div>
    </Section>
  );
}
