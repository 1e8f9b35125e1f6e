import type {
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'

/** A block of text or reasoning as it grows. */
interface Block {
  readonly type: 'text' | 'reasoning'
  readonly id: string
  text: string
  providerMetadata?: SharedV4ProviderMetadata
}

/** Collects the parts of a streamed answer in the order in which they begin. */
export class StreamedContent {
  readonly #all: (Block | LanguageModelV4Content)[] = []
  /** Text and reasoning may share an id, and any number of blocks may grow at the same time. */
  readonly #open: Map<string, Block> = new Map()
  /** Most pieces belong to the same block as the previous one. */
  #last: Block | undefined

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-delta':
        return this.addText(part)
      case 'reasoning-delta':
        return this.#grow('reasoning', part)
      case 'text-start':
        return this.#begin('text', part)
      case 'reasoning-start':
        return this.#begin('reasoning', part)
      case 'text-end':
        return this.#end('text', part)
      case 'reasoning-end':
        return this.#end('reasoning', part)
      case 'tool-call':
      case 'tool-result':
      case 'file':
      case 'reasoning-file':
      case 'custom':
        this.#all.push(part)
        return
      // Announcements, or parts without content.
      case 'error':
      case 'finish':
      case 'ping':
      case 'raw':
      case 'response-metadata':
      case 'source':
      case 'stream-start':
      case 'tool-approval-request':
      case 'tool-input-delta':
      case 'tool-input-end':
      case 'tool-input-start':
    }
  }

  /** The hot path: pieces that come thousands of times. */
  addText(part: Told & { readonly delta: string }): void {
    this.#grow('text', part)
  }

  /** The content so far; an empty text counts if it has provider metadata. */
  parts(): LanguageModelV4Content[] {
    return this.#all.flatMap((part): LanguageModelV4Content[] => {
      if (!('id' in part) || (part.type !== 'text' && part.type !== 'reasoning')) return [part]
      const { type, text, providerMetadata } = part
      if (text === '' && providerMetadata === undefined) return []
      return [{ type, text, ...(providerMetadata === undefined ? {} : { providerMetadata }) }]
    })
  }

  #begin(type: Block['type'], { id, providerMetadata }: Told): void {
    this.#last = { type, id, text: '', ...(providerMetadata && { providerMetadata }) }
    this.#all.push(this.#last)
    this.#open.set(keyOf(type, id), this.#last)
  }

  #grow(type: Block['type'], part: Told & { readonly delta: string }): void {
    const { id, delta, providerMetadata } = part
    const last = this.#last
    const block = last?.id === id && last.type === type ? last : this.#find(type, part)
    block.text += delta
    if (providerMetadata !== undefined) block.providerMetadata = providerMetadata
  }

  #end(type: Block['type'], part: Told): void {
    const block = this.#find(type, part)
    if (part.providerMetadata !== undefined) block.providerMetadata = part.providerMetadata
    this.#open.delete(keyOf(type, part.id))
    this.#last = undefined
  }

  /** Some providers do not announce a block. */
  #find(type: Block['type'], { id }: Told): Block {
    let block = this.#open.get(keyOf(type, id))
    if (block === undefined) {
      block = { type, id, text: '' }
      this.#all.push(block)
      this.#open.set(keyOf(type, id), block)
    }
    this.#last = block
    return block
  }
}

const keyOf = (type: Block['type'], id: string): string => `${type} ${id}`

/** The provider's metadata of a block. */
interface Told {
  readonly id: string
  readonly providerMetadata?: SharedV4ProviderMetadata
}
