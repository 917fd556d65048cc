/** Counts the events in sequences, to show that a run reached everything it claims to test. */
import type { Fault, Faults } from '@portal/sandbox/simulator/faults.ts';

export type Coverage = {
  readonly counts: Map<string, number>;
  count(eventName: string, times?: number): void;
  /** Sets a fault. It is counted once for each call it affects. */
  setFault(fault: Fault): void;
  /** Ends all faults. */
  clearFaults(): void;
};

export function openCoverage(faults: Faults): Coverage {
  const counts = new Map<string, number>();
  const plannedFaults = new Map<string, Fault>();
  const count = (eventName: string, times = 1): void => void counts.set(eventName, (counts.get(eventName) ?? 0) + times);
  const countHits = (operation: string): void => {
    const fault = plannedFaults.get(operation);
    if (!fault) return;
    const remaining = faults.list().find((item) => item.operation === operation)?.times ?? 0;
    if (fault.times > remaining) count(`fault: ${operation} ${fault.kind}`, fault.times - remaining);
    plannedFaults.delete(operation);
  };
  return {
    counts,
    count,
    setFault: (fault) => {
      countHits(fault.operation);
      faults.set(fault);
      plannedFaults.set(fault.operation, fault);
    },
    clearFaults: () => {
      for (const operation of plannedFaults.keys()) countHits(operation);
      faults.clear();
    },
  };
}

export function addCounts(total: Map<string, number>, moreCounts: ReadonlyMap<string, number>): void {
  for (const [eventName, times] of moreCounts) total.set(eventName, (total.get(eventName) ?? 0) + times);
}

/** Formats one line per group (the part before the colon), most frequent first. */
export function formatCounts(counts: ReadonlyMap<string, number>): string[] {
  const groups = Map.groupBy([...counts], ([eventName]) => eventName.slice(0, eventName.indexOf(':')));
  return [...groups].map(([group, entries]) => {
    const sorted = entries.toSorted(([, a], [, b]) => b - a);
    return `${group}: ${sorted.map(([eventName, times]) => `${eventName.slice(group.length + 2)} ${times}`).join(', ')}`;
  });
}
