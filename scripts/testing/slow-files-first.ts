import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that start, kill and wait for real processes, and tests of the model's sequences. */
const SLOW_FILES = /\/(chaos|model|killed-\w+|portal-process|embedded-processes|smoke|sandbox)\.test\.ts$/;

/** Starts each project's slowest files first. These files are small, so in vitest's own order they would run last, on their own. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const filesByProject = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...filesByProject.values()].flatMap((specifications) => {
      const { slow = [], other = [] } = Object.groupBy(specifications, ({ moduleId }) => (SLOW_FILES.test(moduleId) ? 'slow' : 'other'));
      return [...slow, ...other];
    });
  }
}
