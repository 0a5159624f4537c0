// The place of one test: a folder, namespaces and programs of its own, all gone afterwards whatever happens.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { withUndo } from '../../scripts/dev/cleanup.js';
import { isAlive, Namespace, namespacesLike, processesIn, removeNamespace, Wire } from './namespace.js';
import type { Program } from './program.js';

let labs = 0;

export class Lab {
  readonly #prefix = `lh-${process.pid}-${++labs}-`;
  /** For whatever files the test needs. */
  readonly folder = mkdtempSync(join(tmpdir(), this.#prefix));
  readonly #programs: { readonly program: Program; readonly end: (program: Program) => Promise<unknown> }[] = [];
  readonly #wires = new Map<string, Wire>();
  #switch: Namespace | undefined;
  #made = 0;

  /** A namespace that nobody else has. `name` is for people. */
  namespace(name: string): Namespace {
    return new Namespace(`${this.#prefix}${++this.#made}-${name}`);
  }

  /** The wire called `name`, at most eight characters; the same one for the same name. */
  wire(name: string): Wire {
    const known = this.#wires.get(name);
    if (known !== undefined) return known;
    this.#switch ??= this.namespace('switch');
    const wire = new Wire(this.#switch, name);
    this.#wires.set(name, wire);
    return wire;
  }

  /** Starts a program in `where`. It is ended with the test: by SIGTERM, or as `end` does it. */
  start(
    where: Namespace,
    command: string,
    args: readonly string[],
    end: (program: Program) => Promise<unknown> = (program) => program.end(),
  ): Program {
    const program = where.start(command, args);
    this.#programs.push({ program, end });
    return program;
  }

  /** A folder below {@link folder}. */
  subfolder(name: string): string {
    const path = join(this.folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** Ends the programs, latest first, and expects that nothing else runs in the namespaces. */
  async close(): Promise<void> {
    for (const { program, end } of [...this.#programs].reverse()) await end(program);
    expect(this.#running(), 'processes that outlived the programs of the test').to.deep.equal([]);
  }

  /** Ends and removes everything at once. */
  undo(): void {
    for (const name of namespacesLike(this.#prefix)) removeNamespace(name);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** What is still there of this lab, in words. */
  leftovers(): readonly string[] {
    return [
      ...namespacesLike(this.#prefix).map((name) => `namespace ${name}`),
      ...this.#programs.filter(({ program }) => isAlive(program.pid)).map(({ program }) => `process ${program.story}`),
      ...(existsSync(this.folder) ? [`folder ${this.folder}`] : []),
    ];
  }

  #running(): readonly number[] {
    return namespacesLike(this.#prefix).flatMap(processesIn).filter(isAlive);
  }
}

/** Runs `work` in a lab of its own, and takes it down when that is over, has failed, or was interrupted. */
export async function withLab(work: (lab: Lab) => Promise<void>): Promise<void> {
  const lab = new Lab();
  await withUndo(
    () => {
      lab.undo();
    },
    async () => {
      await work(lab);
      await lab.close();
    },
  );
  expect(lab.leftovers(), 'what the test left behind').to.deep.equal([]);
}
