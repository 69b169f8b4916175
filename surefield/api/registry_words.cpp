#include "surefield/api/registry_words.hpp"

#include <array>
#include <unordered_set>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

using Word = std::string_view;

constexpr std::array<Word, 4> kNurseryStroller{"Stroller", "Jogging Stroller", "Travel System",
                                               "Pram"};
constexpr std::array<Word, 4> kNurseryBottle{"Feeding Bottles", "Bottle Warmer Kit",
                                             "Wide Neck Bottles", "Starter Bottle Set"};
constexpr std::array<Word, 4> kNurseryMonitor{"Baby Monitor", "Video Monitor", "Breathing Monitor",
                                              "Night Light Monitor"};
constexpr std::array<Word, 4> kNurseryCarSeat{"Infant Car Seat", "Convertible Car Seat",
                                              "Booster Seat", "Rear-Facing Seat"};
constexpr std::array<Word, 4> kNurseryCrib{"Crib", "Convertible Crib", "Bassinet", "Travel Cot"};
constexpr std::array<Word, 4> kNurseryBath{"Bath Tub", "Bath Seat", "Folding Bath", "Bath Support"};
constexpr std::array<Word, 4> kNurseryCarrier{"Baby Carrier", "Wrap", "Sling", "Hip Carrier"};
constexpr std::array<Word, 4> kNurseryDiaperPail{"Diaper Pail", "Nappy Bin", "Pail Refills",
                                                 "Diaper Caddy"};
constexpr std::array<Word, 4> kNurseryHighChair{"High Chair", "Hook-On Chair", "Booster Chair",
                                                "Space Saver Chair"};
constexpr std::array<Word, 4> kNurseryPlay{"Play Mat", "Activity Gym", "Bouncer", "Swing"};
constexpr std::array<Word, 4> kNurserySafetyGate{"Safety Gate", "Stair Gate", "Play Yard",
                                                 "Hearth Gate"};
constexpr std::array<Word, 4> kNurseryThermometer{"Ear Thermometer", "Forehead Thermometer",
                                                  "Bath Thermometer", "Nursery Thermometer"};
constexpr std::array kNurseryNeeds{RegistryNeed{"stroller", kNurseryStroller},
                                   RegistryNeed{"bottle", kNurseryBottle},
                                   RegistryNeed{"monitor", kNurseryMonitor},
                                   RegistryNeed{"car seat", kNurseryCarSeat},
                                   RegistryNeed{"crib", kNurseryCrib},
                                   RegistryNeed{"bath", kNurseryBath},
                                   RegistryNeed{"carrier", kNurseryCarrier},
                                   RegistryNeed{"diaper pail", kNurseryDiaperPail},
                                   RegistryNeed{"high chair", kNurseryHighChair},
                                   RegistryNeed{"play", kNurseryPlay},
                                   RegistryNeed{"safety gate", kNurserySafetyGate},
                                   RegistryNeed{"thermometer", kNurseryThermometer}};
constexpr std::array<Word, 10> kNurseryMakers{"Larkfield",   "Moss & Pip", "Nestling", "Owlet Lane",
                                              "Pebblewick",  "Robin Row",  "Tumbleby", "Wrenley",
                                              "Littlebrook", "Hushaby"};
constexpr std::array<Word, 12> kNurseryQualities{"Classic", "Comfort",     "Compact",   "Cosy",
                                                 "Deluxe",  "Easy-Clean",  "Essential", "Folding",
                                                 "Gentle",  "Lightweight", "Organic",   "Premium"};
constexpr std::array<Word, 8> kNurseryDetails{
    ", Grey",        ", 2 Pack", ", 4 oz, Set of 3", " \"Sleepy Fox\"",
    ", 27\" x 16\"", " (Blue)",  ", Oat/Sand",       " \"Little Star\", Ivory"};

constexpr std::array<Word, 4> kKitchenPan{"Frying Pan", "Saute Pan", "Skillet", "Griddle"};
constexpr std::array<Word, 4> kKitchenKnife{"Chef's Knife", "Knife Block", "Paring Knife Set",
                                            "Santoku Knife"};
constexpr std::array<Word, 4> kKitchenCoffee{"Coffee Maker", "French Press", "Espresso Machine",
                                             "Pour-Over Set"};
constexpr std::array<Word, 4> kKitchenMixer{"Stand Mixer", "Hand Mixer", "Dough Mixer",
                                            "Stick Blender"};
constexpr std::array<Word, 4> kKitchenKettle{"Kettle", "Gooseneck Kettle", "Stovetop Kettle",
                                             "Tea Kettle"};
constexpr std::array<Word, 4> kKitchenToaster{"Toaster", "Toaster Oven", "Sandwich Press",
                                              "Bread Grill"};
constexpr std::array<Word, 4> kKitchenBakeware{"Baking Sheet", "Loaf Tin", "Muffin Tin",
                                               "Casserole Dish"};
constexpr std::array<Word, 4> kKitchenGlasses{"Wine Glasses", "Tumblers", "Highball Glasses",
                                              "Champagne Flutes"};
constexpr std::array<Word, 4> kKitchenPlates{"Dinner Plates", "Dinnerware Set", "Side Plates",
                                             "Pasta Bowls"};
constexpr std::array<Word, 4> kKitchenCutlery{"Cutlery Set", "Flatware Set", "Steak Knives",
                                              "Serving Spoons"};
constexpr std::array<Word, 4> kKitchenStorage{"Storage Jars", "Food Containers", "Bread Bin",
                                              "Canister Set"};
constexpr std::array<Word, 4> kKitchenBlender{"Blender", "Smoothie Maker", "Food Processor",
                                              "Mini Chopper"};
constexpr std::array kKitchenNeeds{
    RegistryNeed{"pan", kKitchenPan},           RegistryNeed{"knife", kKitchenKnife},
    RegistryNeed{"coffee", kKitchenCoffee},     RegistryNeed{"mixer", kKitchenMixer},
    RegistryNeed{"kettle", kKitchenKettle},     RegistryNeed{"toaster", kKitchenToaster},
    RegistryNeed{"bakeware", kKitchenBakeware}, RegistryNeed{"glasses", kKitchenGlasses},
    RegistryNeed{"plates", kKitchenPlates},     RegistryNeed{"cutlery", kKitchenCutlery},
    RegistryNeed{"storage", kKitchenStorage},   RegistryNeed{"blender", kKitchenBlender}};
constexpr std::array<Word, 10> kKitchenMakers{"Alder & Ash", "Copperhill", "Fennel", "Grindstone",
                                              "Hearthside",  "Marlow",     "Oakum",  "Saltbox",
                                              "Tarragon",    "Umber"};
constexpr std::array<Word, 12> kKitchenQualities{
    "Artisan",  "Cast Iron",    "Ceramic", "Classic", "Cordless",  "Everyday",
    "Nonstick", "Professional", "Quick",   "Quiet",   "Stainless", "Stoneware"};
constexpr std::array<Word, 8> kKitchenDetails{
    ", Set of 4",    ", 10\"",  ", 12\" with Lid", " \"Provence\"",
    ", Black/Steel", ", 1.7 L", " (Red)",          " \"Sunday\", Set of 6"};

constexpr std::array<Word, 4> kCampingTent{"Tent", "Dome Tent", "Tunnel Tent", "Tarp Shelter"};
constexpr std::array<Word, 4> kCampingSleepingBag{"Sleeping Bag", "Mummy Bag", "Quilt",
                                                  "Double Bag"};
constexpr std::array<Word, 4> kCampingMat{"Sleeping Mat", "Air Mattress", "Foam Mat", "Camp Bed"};
constexpr std::array<Word, 4> kCampingStove{"Gas Stove", "Wood Stove", "Alcohol Stove",
                                            "Double Burner"};
constexpr std::array<Word, 4> kCampingLamp{"Lantern", "Headlamp", "Torch", "String Lights"};
constexpr std::array<Word, 4> kCampingPack{"Rucksack", "Day Pack", "Dry Bag", "Duffel"};
constexpr std::array<Word, 4> kCampingWater{"Water Filter", "Water Bottle", "Water Carrier",
                                            "Hydration Pack"};
constexpr std::array<Word, 4> kCampingChair{"Camp Chair", "Folding Stool", "Hammock", "Camp Bench"};
constexpr std::array<Word, 4> kCampingCooler{"Cool Box", "Soft Cooler", "Ice Chest", "Cool Bag"};
constexpr std::array<Word, 4> kCampingCookware{"Cook Set", "Mess Kit", "Billy Can", "Camp Kettle"};
constexpr std::array<Word, 4> kCampingTool{"Pocket Knife", "Multi-Tool", "Camp Axe", "Folding Saw"};
constexpr std::array<Word, 4> kCampingFirstAid{"First Aid Kit", "Blister Kit", "Survival Kit",
                                               "Insect Repeller"};
constexpr std::array kCampingNeeds{
    RegistryNeed{"tent", kCampingTent},     RegistryNeed{"sleeping bag", kCampingSleepingBag},
    RegistryNeed{"mat", kCampingMat},       RegistryNeed{"stove", kCampingStove},
    RegistryNeed{"lamp", kCampingLamp},     RegistryNeed{"pack", kCampingPack},
    RegistryNeed{"water", kCampingWater},   RegistryNeed{"chair", kCampingChair},
    RegistryNeed{"cooler", kCampingCooler}, RegistryNeed{"cookware", kCampingCookware},
    RegistryNeed{"tool", kCampingTool},     RegistryNeed{"first aid", kCampingFirstAid}};
constexpr std::array<Word, 10> kCampingMakers{"Cairn",       "Drumlin",     "Esker",   "Fellside",
                                              "Glen & Tarn", "Heathermoor", "Kestrel", "Lodgepole",
                                              "Northbeck",   "Windrow"};
constexpr std::array<Word, 12> kCampingQualities{
    "Alpine", "All-Season",     "Family", "Folding", "Insulated",  "Packable",
    "Rugged", "Self-Inflating", "Storm",  "Trail",   "Ultralight", "Waterproof"};
constexpr std::array<Word, 8> kCampingDetails{
    ", 2 Person", ", 4 Person, Green", " \"Basecamp\"", ", 6' 6\" Long",
    ", 45 L",     " (Orange)",         ", Pair",        " \"Summit\", Long"};

constexpr std::array<Word, 4> kOfficeDesk{"Desk", "Standing Desk", "Corner Desk", "Desk Converter"};
constexpr std::array<Word, 4> kOfficeChair{"Desk Chair", "Task Chair", "Kneeling Chair",
                                           "Saddle Stool"};
constexpr std::array<Word, 4> kOfficeScreen{"Monitor", "Curved Monitor", "Monitor Arm",
                                            "Privacy Screen"};
constexpr std::array<Word, 4> kOfficeKeyboard{"Keyboard", "Split Keyboard", "Number Pad",
                                              "Keyboard Tray"};
constexpr std::array<Word, 4> kOfficePointer{"Mouse", "Trackball", "Graphics Tablet", "Presenter"};
constexpr std::array<Word, 4> kOfficeLight{"Desk Lamp", "Clamp Lamp", "Floor Lamp", "Screen Light"};
constexpr std::array<Word, 4> kOfficeSound{"Headset", "Speakers", "Conference Phone", "Microphone"};
constexpr std::array<Word, 4> kOfficePaper{"Notebook", "Planner", "Index Cards", "Sticky Notes"};
constexpr std::array<Word, 4> kOfficePen{"Fountain Pen", "Gel Pens", "Mechanical Pencil",
                                         "Marker Set"};
constexpr std::array<Word, 4> kOfficeFiling{"Filing Cabinet", "Letter Tray", "Binder",
                                            "Storage Box"};
constexpr std::array<Word, 4> kOfficePrinter{"Printer", "Label Maker", "Scanner", "Shredder"};
constexpr std::array<Word, 4> kOfficeBoard{"Whiteboard", "Cork Board", "Flip Chart",
                                           "Wall Calendar"};
constexpr std::array kOfficeNeeds{
    RegistryNeed{"desk", kOfficeDesk},       RegistryNeed{"chair", kOfficeChair},
    RegistryNeed{"screen", kOfficeScreen},   RegistryNeed{"keyboard", kOfficeKeyboard},
    RegistryNeed{"pointer", kOfficePointer}, RegistryNeed{"light", kOfficeLight},
    RegistryNeed{"sound", kOfficeSound},     RegistryNeed{"paper", kOfficePaper},
    RegistryNeed{"pen", kOfficePen},         RegistryNeed{"filing", kOfficeFiling},
    RegistryNeed{"printer", kOfficePrinter}, RegistryNeed{"board", kOfficeBoard}};
constexpr std::array<Word, 10> kOfficeMakers{"Axiom Row", "Blotter",   "Coppice", "Draughtsman",
                                             "Folio",     "Guildhall", "Inkwell", "Ledger & Sons",
                                             "Quire",     "Stilton"};
constexpr std::array<Word, 12> kOfficeQualities{"Adjustable", "Bamboo",     "Compact",  "Ergonomic",
                                                "Executive",  "Heavy-Duty", "Magnetic", "Recycled",
                                                "Silent",     "Slim",       "Studio",   "Wireless"};
constexpr std::array<Word, 8> kOfficeDetails{", Black",      ", 27\"",           ", 48\" x 24\"",
                                             ", Pack of 12", " \"Author\"",      ", A5, Ruled",
                                             " (White)",     " \"Atelier\", Oak"};

constexpr std::array<Word, 4> kGardenSpade{"Spade", "Garden Fork", "Trowel Set", "Border Spade"};
constexpr std::array<Word, 4> kGardenPruner{"Secateurs", "Loppers", "Hedge Shears", "Pruning Saw"};
constexpr std::array<Word, 4> kGardenMower{"Lawn Mower", "Robot Mower", "Push Mower", "Strimmer"};
constexpr std::array<Word, 4> kGardenHose{"Garden Hose", "Hose Reel", "Sprinkler", "Watering Can"};
constexpr std::array<Word, 4> kGardenPlanter{"Planter", "Window Box", "Hanging Basket",
                                             "Raised Bed"};
constexpr std::array<Word, 4> kGardenCompost{"Compost Bin", "Wormery", "Leaf Mulcher",
                                             "Compost Tumbler"};
constexpr std::array<Word, 4> kGardenGloves{"Gardening Gloves", "Kneeler", "Work Apron",
                                            "Knee Pads"};
constexpr std::array<Word, 4> kGardenFurniture{"Garden Bench", "Bistro Set", "Parasol",
                                               "Deck Chair"};
constexpr std::array<Word, 4> kGardenGrill{"Charcoal Grill", "Gas Grill", "Fire Pit", "Pizza Oven"};
constexpr std::array<Word, 4> kGardenLight{"Solar Lights", "Path Lights", "Wall Lantern",
                                           "Fairy Lights"};
constexpr std::array<Word, 4> kGardenBirds{"Bird Feeder", "Nest Box", "Bird Bath", "Bee Hotel"};
constexpr std::array<Word, 4> kGardenGreenhouse{"Greenhouse", "Cold Frame", "Propagator", "Cloche"};
constexpr std::array kGardenNeeds{
    RegistryNeed{"spade", kGardenSpade},     RegistryNeed{"pruner", kGardenPruner},
    RegistryNeed{"mower", kGardenMower},     RegistryNeed{"hose", kGardenHose},
    RegistryNeed{"planter", kGardenPlanter}, RegistryNeed{"compost", kGardenCompost},
    RegistryNeed{"gloves", kGardenGloves},   RegistryNeed{"furniture", kGardenFurniture},
    RegistryNeed{"grill", kGardenGrill},     RegistryNeed{"light", kGardenLight},
    RegistryNeed{"birds", kGardenBirds},     RegistryNeed{"greenhouse", kGardenGreenhouse}};
constexpr std::array<Word, 10> kGardenMakers{
    "Bramble & Co", "Dovecote",    "Foxglove",    "Hazelmere",   "Ivybridge",
    "Loam",         "Marrowfield", "Potting Row", "Thistledown", "Yew Tree"};
constexpr std::array<Word, 12> kGardenQualities{
    "Cedar",      "Copper",    "Cordless",  "Galvanised", "Heavy-Duty", "Heritage",
    "Long-Reach", "Rustproof", "Stainless", "Telescopic", "Terracotta", "Zinc"};
constexpr std::array<Word, 8> kGardenDetails{
    ", Green",   ", 30 m",   ", 12\" Pot",         ", Set of 3", " \"Walled Garden\"",
    ", 4' x 2'", " (Slate)", " \"Orchard\", Large"};

constexpr std::array kCategories{
    RegistryCategory{"nursery", kNurseryNeeds, kNurseryMakers, kNurseryQualities, kNurseryDetails},
    RegistryCategory{"kitchen", kKitchenNeeds, kKitchenMakers, kKitchenQualities, kKitchenDetails},
    RegistryCategory{"camping", kCampingNeeds, kCampingMakers, kCampingQualities, kCampingDetails},
    RegistryCategory{"office", kOfficeNeeds, kOfficeMakers, kOfficeQualities, kOfficeDetails},
    RegistryCategory{"garden", kGardenNeeds, kGardenMakers, kGardenQualities, kGardenDetails}};

Word one_of(std::span<const Word> words, Random& random) {
  return words[random.below(words.size())];
}

}  // namespace

std::span<const RegistryCategory> registry_categories() { return kCategories; }

const RegistryCategory& registry_category(std::string_view name) {
  std::string known;
  for (const auto& category : kCategories) {
    if (category.name == name) return category;
    known += known.empty() ? "" : ", ";
    known += category.name;
  }
  fail("registries: the category '", name, "' is not known; there are ", known);
}

std::vector<std::string> registry_item_names(const RegistryCategory& category,
                                             std::span<const Index> need_of, Random& random) {
  constexpr double kDetailed = 0.4;  // share of the names that end in a detail
  constexpr int kTries = 20;         // before a number tells two alike apart
  std::vector<std::string> names;
  std::unordered_set<std::string> taken;
  for (const Index need : need_of) {
    const auto products = category.needs[need % category.needs.size()].products;
    std::string name;
    for (int t = 0; t < kTries; ++t) {
      name = message(one_of(category.makers, random), " ", one_of(category.qualities, random), " ",
                     one_of(products, random));
      if (random.chance(kDetailed)) name += one_of(category.details, random);
      if (!taken.contains(name)) break;
    }
    const std::string base = name;
    for (Index number = 2; !taken.insert(name).second; ++number)
      name = message(base, " No. ", number);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace surefield
