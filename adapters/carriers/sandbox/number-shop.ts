// The numbers that the network sells: some of every area code that exist nowhere else.

export interface SoldNumber {
  readonly sid: string;
  readonly phone: string;
  /** What the customer calls it. */
  readonly reference: string;
  readonly soldAt: Date;
}

export interface NumberShop {
  /** Lowest first. */
  forSale(areaCode: string, limit: number): string[];
  /** Null when it is not for sale. */
  sell(number: SoldNumber): SoldNumber | null;
  /** Newest first. */
  sold(): SoldNumber[];
  /** False when there is none. */
  takeBack(sid: string): boolean;
}

/** 0100 to 0149 belong to people and to whoever tests. */
const firstForSale = 150;
const lastForSale = 198;

const forSalePattern = /^\+1([2-9]\d\d)5550(\d{3})$/;

export function createNumberShop(): NumberShop {
  const sold = new Map<string, SoldNumber>();
  const isSold = (phone: string) => [...sold.values()].some((number) => number.phone === phone);
  return {
    forSale(areaCode, limit) {
      if (!/^[2-9]\d\d$/.test(areaCode)) return [];
      return Array.from(
        { length: lastForSale - firstForSale + 1 },
        (_, index) => `+1${areaCode}5550${firstForSale + index}`,
      )
        .filter((phone) => !isSold(phone))
        .slice(0, limit);
    },
    sell(number) {
      const last = Number(forSalePattern.exec(number.phone)?.[2]);
      if (!(last >= firstForSale && last <= lastForSale) || isSold(number.phone)) return null;
      sold.set(number.sid, number);
      return number;
    },
    sold: () => [...sold.values()].toReversed(),
    takeBack: (sid) => sold.delete(sid),
  };
}
