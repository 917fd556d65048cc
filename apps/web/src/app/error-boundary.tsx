import { Component, type ReactNode } from 'react';
import { useLocation, type Location } from 'react-router';
import { ErrorScreen } from './error-screen.tsx';

/** Until the next navigation, shows the error screen in place of a part that failed to render or load. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  return <Boundary location={useLocation()}>{children}</Boundary>;
}

type Props = { readonly location: Location; readonly children: ReactNode };
type State = { readonly location: Location; readonly failure?: { readonly error: unknown } | undefined };

class Boundary extends Component<Props, State> {
  override state: State = { location: this.props.location };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps({ location }: Props, state: State): State | null {
    return location === state.location ? null : { location, failure: undefined };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    return failure ? <ErrorScreen error={failure.error} /> : this.props.children;
  }
}
