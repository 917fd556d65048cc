import clsx from 'clsx';
import type { HTMLAttributes, LabelHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './text.module.css';
import { getToneClass, type Tone } from './tone.ts';

type TextProps = Omit<HTMLAttributes<HTMLElement>, 'color'> &
  Pick<LabelHTMLAttributes<HTMLLabelElement>, 'htmlFor'> & {
    as?: 'p' | 'span' | 'div' | 'li' | 'dt' | 'dd' | 'label' | 'strong' | 'figcaption' | 'legend';
    /** `inherit` is for a span within other text. */
    size?: 'body' | 'small' | 'large' | 'inherit';
    weight?: 'regular' | 'medium' | 'bold';
    /** `quiet` is for secondary text. */
    tone?: Tone | 'quiet' | undefined;
    /** Limits the line length for long text. */
    measure?: boolean;
    /** Uses tabular figures and doesn't wrap. */
    numeric?: boolean;
    children?: ReactNode;
    ref?: Ref<HTMLElement>;
  };

/** Text in one of the design's sizes, weights and tones, without margins. */
export function Text({
  as = 'p',
  size = as === 'span' || as === 'strong' ? 'inherit' : 'body',
  weight = 'regular',
  tone,
  measure = false,
  numeric = false,
  className,
  ref,
  ...props
}: TextProps) {
  const Element = as as 'label';
  return (
    <Element
      {...props}
      ref={ref as Ref<HTMLLabelElement>}
      className={clsx(
        styles.text,
        styles[size],
        weight !== 'regular' && styles[weight],
        tone === 'quiet' ? styles.quiet : tone !== undefined && getToneClass(tone),
        measure && styles.measure,
        numeric && styles.numeric,
        className,
      )}
    />
  );
}

const HEADING_SIZES = { 1: 'title', 2: 'section', 3: 'part', 4: 'part' } as const;

type HeadingProps = Omit<HTMLAttributes<HTMLHeadingElement>, 'color'> & {
  /** The level in the page's outline. The page's title is 1, a card's title 2. */
  level: 1 | 2 | 3 | 4;
  /** The size, if it differs from the level's default. */
  size?: 'title' | 'section' | 'part';
  ref?: Ref<HTMLHeadingElement>;
};

/** A heading without margins. */
export function Heading({ level, size = HEADING_SIZES[level], className, ...props }: HeadingProps) {
  const Element = `h${level}` as const;
  return <Element {...props} className={clsx(styles.heading, styles[size], className)} />;
}
