import { type Micros, releasePart } from '@rif/rules'
import type { TreeMembers } from './tree.ts'

/** The locked AMC of a member's reward, released in equal daily parts, the last one with the remainder. */
export interface LockedReward {
  readonly member: number
  readonly amcMicros: Micros
  readonly parts: number
}

/**
 * Collects the releases of a day: `begin` is called for every reward of the previous day, then `end` for every
 * reward whose last part is due. `Members.release` has the daily parts of all rewards in between, and is
 * updated. Rules, section 6.
 */
export function collectReleases({ count, release, isWritten }: TreeMembers) {
  const released = new BigInt64Array(count)
  return {
    begin({ member, amcMicros, parts }: LockedReward): void {
      if (parts === 1) return
      release[member] = release[member]! + releasePart(amcMicros, 1, parts)
      isWritten[member] = 1
    },
    end({ member, amcMicros, parts }: LockedReward): void {
      if (parts > 1) release[member] = release[member]! - releasePart(amcMicros, 1, parts)
      released[member] = released[member]! + releasePart(amcMicros, parts, parts)
      isWritten[member] = 1
    },
    /** Returns the AMC released by member. */
    released(): BigInt64Array {
      for (let member = 0; member < count; member++) {
        if (release[member] !== 0n) released[member] = released[member]! + release[member]!
      }
      return released
    },
  }
}
