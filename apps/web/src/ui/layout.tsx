/** Layout without styles of its own: children below each other, beside each other, or in columns. */
import clsx from 'clsx';
import type { CSSProperties, HTMLAttributes, ReactNode, Ref } from 'react';
import styles from './layout.module.css';

/** The space between children, in px. */
export type Gap = 0 | 4 | 8 | 12 | 16 | 24 | 32 | 48;

type LayoutElement = 'div' | 'ul' | 'ol' | 'li' | 'section' | 'nav' | 'dl' | 'header' | 'footer' | 'span' | 'fieldset';

type LayoutProps = Omit<HTMLAttributes<HTMLElement>, 'color'> & {
  /** The HTML element. Lists lose their bullets. */
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

/** Children below each other. */
export function Stack({ children, ...rest }: LayoutProps) {
  const { Element, props } = toProps(rest, styles.stack);
  return <Element {...props}>{children}</Element>;
}

/** Children beside each other, on the next line where they don't fit. */
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

/** Content and, from 900 px, a narrower column beside it. */
export function MainAndAside({ children, align = 'start', gap = 24, ...rest }: LayoutProps) {
  const { Element, props } = toProps({ ...rest, align, gap }, styles.mainAndAside);
  return <Element {...props}>{children}</Element>;
}
