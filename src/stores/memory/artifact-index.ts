import type { ArtifactIndex, IndexedArtifact } from '../../core/store.ts'
import { asStored } from './as-stored.ts'
import type { MemoryDisk } from './disk.ts'

/** Which run made which file, as `MemoryRunStore` read it off outcomes over the same disk. */
export class MemoryArtifactIndex implements ArtifactIndex {
  readonly #disk: MemoryDisk

  constructor(disk: MemoryDisk) {
    this.#disk = disk
  }

  async of(run: string): Promise<readonly IndexedArtifact[]> {
    return asStored(this.#disk.artifacts.filter((one) => one.run === run))
  }

  async find(name: string): Promise<IndexedArtifact | undefined> {
    const found = this.#disk.artifacts.findLast((one) => one.name === name)
    return found && asStored(found)
  }
}
