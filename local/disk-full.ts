import { CommandError } from "../cli/errors.ts";

export const SQLITE_FULL = 13;

/** @throws {CommandError} if the work fails because the disk is full */
export async function explainFullDisk<T>(directory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new CommandError(
      `The disk of ${directory} is full. Free some space there, or choose another DATA_DIR.`,
    );
  }
}

/** Errors of worker threads, of the bundler and of the engine only have a message. */
export function isDiskFull(error: unknown): boolean {
  const { code, errcode, message } = Object(error);
  return (
    code === "ENOSPC" ||
    code === "EDQUOT" ||
    errcode === SQLITE_FULL ||
    /ENOSPC|EDQUOT|disk is full|no space left/.test(String(message))
  );
}
