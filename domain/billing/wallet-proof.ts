// What must hold of every wallet, and which of it does not. Pure.

export interface WalletFacts {
  readonly balanceMicros: number;
  readonly heldMicros: number;
  /** Sum of the wallet's ledger entries. */
  readonly ledgerMicros: number;
  /** Sum of its open holds. */
  readonly openHoldsMicros: number;
  /** Open holds of attempts that are over, and live real attempts without one. */
  readonly strayHolds: number;
}

export interface TransferFacts {
  /** Transfers that are not two entries of their amount, one the opposite of the other. */
  readonly unbalancedTransfers: number;
  /** Real attempts whose charge is not what the ledger took for them. */
  readonly wrongCharges: number;
}

/** One line for each promise that is broken; empty when all hold. */
export function walletProblems(facts: WalletFacts & TransferFacts): string[] {
  const { balanceMicros, heldMicros, ledgerMicros, openHoldsMicros } = facts;
  const problems: string[] = [];
  if (balanceMicros !== ledgerMicros)
    problems.push(`the balance is ${balanceMicros} micros, the ledger sums to ${ledgerMicros}`);
  if (heldMicros !== openHoldsMicros)
    problems.push(`${heldMicros} micros are held, open holds sum to ${openHoldsMicros}`);
  if (balanceMicros < heldMicros)
    problems.push(`${heldMicros} micros are held of a balance of ${balanceMicros}`);
  if (facts.unbalancedTransfers > 0)
    problems.push(`${facts.unbalancedTransfers} transfers are not balanced`);
  if (facts.wrongCharges > 0)
    problems.push(`${facts.wrongCharges} calls cost something else than the ledger took`);
  if (facts.strayHolds > 0)
    problems.push(`${facts.strayHolds} holds do not belong to exactly the live calls`);
  return problems;
}
