/** Unstyled layout: children stacked, side by side, or in columns. */
import clsx from 'clsx';
import type { CSSProperties, HTMLAttributes, ReactNode, Ref } from 'react';
import styles from './layout.module.css';

/** The space between children, in px. */
export type Gap = 0 | 4 | 8 | 12 | 16 | 24 | 32 | 48;

type LayoutElement = 'div' | 'ul' | 'ol' | 'li' | 'section' | 'nav' | 'dl' | 'header' | 'footer' | 'span' | 'fieldset';

type LayoutProps = Omit<HTMLAttributes<HTMLElement>, 'color'> & {
  /** The HTML element. Lists are shown without bullets. */
  as?: LayoutElement;
  gap?: Gap;
  align?: 'start' | 'center' | 'end' | 'baseline' | 'stretch';
  justify?: 'start' | 'center' | 'between' | 'end';
  children: ReactNode;
  ref?: Ref<HTMLElement>;
};

function toProps(
  { as = 'div', gap = 16, align, justify, className, ref, ...props }: Omit<LayoutProps, 'children'>,
  layout: string | undefined,
) {
  return {
    Element: as as 'div',
    props: {
      ...props,
      ref: ref as Ref<HTMLDivElement>,
      className: clsx(
        layout,
        styles[`gap${gap}`],
        align !== undefined && styles[`align-${align}`],
        justify !== undefined && styles[`justify-${justify}`],
        (as === 'ul' || as === 'ol' || as === 'dl' || as === 'fieldset') && styles.list,
        className,
      ),
    },
  };
}

/** Stacks children vertically. */
export function Stack({ children, ...rest }: LayoutProps) {
  const { Element, props } = toProps(rest, styles.stack);
  return <Element {...props}>{children}</Element>;
}

/** Places children side by side, wrapping where they don't fit. */
export function Row({ children, wrap = true, align = 'center', gap = 12, ...rest }: LayoutProps & { wrap?: boolean }) {
  const { Element, props } = toProps({ ...rest, align, gap }, clsx(styles.row, !wrap && styles.noWrap));
  return <Element {...props}>{children}</Element>;
}

/** Shows as many equal columns as fit, each at least `minColumn` px wide. */
export function Grid({ children, minColumn, style, ...rest }: LayoutProps & { minColumn: number }) {
  const { Element, props } = toProps(rest, styles.grid);
  return (
    <Element {...props} style={{ ...style, '--min-column': `${minColumn}px` } as CSSProperties}>
      {children}
    </Element>
  );
}

/** Content with a narrower column beside it on screens from 900 px. */
export function MainAndAside({ children, align = 'start', gap = 24, ...rest }: LayoutProps) {
  const { Element, props } = toProps({ ...rest, align, gap }, styles.mainAndAside);
  return <Element {...props}>{children}</Element>;
}
