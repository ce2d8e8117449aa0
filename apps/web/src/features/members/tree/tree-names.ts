import type { MemberLabel, Side, TreeMember } from '@rif/api-schema'
import { formatCount, shortAddress, useTranslation } from '../../../lib/index.ts'
import type { TreeEntry } from './tree-model.ts'

/** A place where nobody stands yet. */
export interface FreePlace {
  parent: TreeEntry
  side: Side
}

/** A node in words: label or wallet, level, and how many stand on each side. */
export function useNodeName(labels: ReadonlyMap<string, MemberLabel>) {
  const { t } = useTranslation()
  return (member: TreeMember) => {
    const label = labels.get(member.id)?.label
    const wallet = shortAddress(member.label)
    return t('tree.nodeName', {
      name: label ? `${label}, ${wallet}` : wallet,
      level: member.level > 0 ? t('my.level', { level: member.level }) : t('my.noLevel'),
      left: formatCount(member.left_team_size_all),
      right: formatCount(member.right_team_size_all),
    })
  }
}
