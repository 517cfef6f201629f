/** One at a time: runs tasks in the order they were asked for, whether or not earlier ones failed. */

export class Mutex {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(task, task);
    // The tail never rejects: a failed task must not fail the next one.
    this.#tail = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }
}
