import type { UseQueryResult } from '@tanstack/react-query';
import { useDeferredValue, type ReactNode } from 'react';
import { describeError } from '../lib/error-text.ts';
import { ApiError } from '../lib/problem-to-error.ts';
import { HiddenText } from './hidden-text.tsx';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { PageSkeleton } from './skeletons.tsx';
import styles from './load-state.module.css';

type LoadStateProps<Data> = {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  /** A placeholder of the same size as the content, to avoid a layout shift. */
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
};

/** Shows a query's loading, error (including offline) and loaded states. After a failed refresh, the old figures stay visible. */
export function LoadState<Data>({ query, skeleton = <PageSkeleton />, children }: LoadStateProps<Data>) {
  const { data, error, isFetching, refetch } = query;
  // The browser is already being redirected to the login page.
  const isLeaving = error instanceof ApiError && error.status === 401;
  // Render the first content in small pieces, so that a slow phone stays responsive. Later changes render immediately.
  const isReady = useDeferredValue(data !== undefined);
  if (!isReady && (error === null || isLeaving)) {
    return (
      <div aria-busy="true" data-loading>
        <HiddenText role="status">Loading</HiddenText>
        {skeleton}
      </div>
    );
  }
  return (
    <>
      {error !== null && !isLeaving && (
        <FailedLoad error={error} isRetrying={isFetching} isStale={data !== undefined} retry={() => void refetch()} />
      )}
      {data !== undefined && children(data)}
    </>
  );
}

function FailedLoad(props: { error: unknown; isRetrying: boolean; isStale: boolean; retry: () => void }) {
  const description = describeError(props.error);
  const isOffline = props.error instanceof ApiError && props.error.status === 0;
  const requestId = props.error instanceof ApiError ? props.error.requestId : undefined;
  return (
    <div role="alert" className={styles.failure}>
      <Icon name={isOffline ? 'offline' : 'errorCircle'} tone="error" />
      <div>
        <p className={styles.title}>{description.heading}</p>
        <p className={styles.text}>
          {description.text}
          {props.isStale && ' The figures below are from the last time we reached the server.'}
        </p>
        {requestId !== undefined && <p className={styles.requestId}>If you contact us, quote {requestId}.</p>}
        {description.canRetry && (
          <div className={styles.retry}>
            <Button size="small" variant="outlined" tone="error" onClick={props.retry} disabled={props.isRetrying}>
              {props.isRetrying ? 'Trying again…' : 'Try again'}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
