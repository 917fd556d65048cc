import { useState, type CSSProperties } from 'react';
import { usePageTheme } from '../../core/page-theme.ts';
import { LIGHT, PAGE_THEMES, type PageThemeName, type Role } from '../../core/tokens.ts';
import { Button } from '../../ui/button.tsx';
import { Row } from '../../ui/layout.tsx';
import { Radio } from '../../ui/choice.tsx';
import { Sample, Samples, Section } from './section.tsx';
import styles from './theme-samples.module.css';

const THEME_NAMES = Object.keys(PAGE_THEMES) as PageThemeName[];
const ROLES = Object.keys(LIGHT.roles) as Role[];
const SHADES = ['main', 'tone', 'fill', 'soft'] as const;

export function ThemeSamples() {
  const [name, setName] = useState<PageThemeName>('standard');
  usePageTheme(name);
  return (
    <Section id="theme" title="Theme" lead="Colours, type sizes and page themes. Light and dark follow the system.">
      <Row as="fieldset" gap={16} className={styles.themes}>
        <legend>Theme for this page</legend>
        {THEME_NAMES.map((theme) => (
          <Radio key={theme} name="page-theme" value={theme} label={theme} checked={name === theme} onChange={() => setName(theme)} />
        ))}
      </Row>
      <Samples>
        {THEME_NAMES.map((theme) => (
          <div key={theme} data-page-theme={theme}>
            <Sample name={`Page theme ${theme}`} flush>
              <div className={styles.page}>
                <div className={styles.card}>A card</div>
                <Button size="small">The main action</Button>
              </div>
            </Sample>
          </div>
        ))}
        {ROLES.map((role) => (
          <Sample key={role} name={role}>
            <dl className={styles.shades}>
              {SHADES.map((shade) => (
                <div key={shade}>
                  <dt>{shade}</dt>
                  <dd style={{ '--colour': `var(--${role}-${shade})` } as CSSProperties} />
                </div>
              ))}
            </dl>
          </Sample>
        ))}
        <Sample name="Work Sans: 32, 24, 20, 16, 14">
          {['2rem', '1.5rem', '1.25rem', '1rem', '0.875rem'].map((size) => (
            <p key={size} className={styles.size} style={{ fontSize: size }}>
              £12,340.55
            </p>
          ))}
        </Sample>
      </Samples>
    </Section>
  );
}
