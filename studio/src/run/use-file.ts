import { useQuery } from '@tanstack/react-query'
import type { ArtifactView } from 'echelon/client'
import { echelon } from '../api/client.ts'

/** Bigger files are not loaded to be shown. */
const LARGEST = 20_000_000

/**
 * A file of a run as an address that holds its content. It is loaded with the token of the page, which an
 * image's own request would not have.
 */
export function useFile(run: string, { name, bytes, sha256 }: ArtifactView): string | undefined {
  const { data: address } = useQuery({
    queryKey: ['file', run, name, sha256],
    queryFn: async () => addressOf(await (await echelon().runs.artifact(run, name)).blob()),
    staleTime: Infinity,
    enabled: bytes <= LARGEST,
  })
  return address
}

function addressOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      if (typeof reader.result === 'string') resolve(reader.result)
    })
    reader.addEventListener('error', () => reject(new Error('the file cannot be read')))
    reader.readAsDataURL(file)
  })
}
